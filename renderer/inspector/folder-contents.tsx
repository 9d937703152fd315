// What the inspector shows of a folder transfer: sums, failures, what was left out.

import { describeError } from '../../shared/transfer/error-words.ts'
import { visibleText } from '../../shared/visible-text.ts'
import type { ItemFailure, SkippedSums, TransferItems, TransferRow } from '../../shared/transfer/transfer.ts'
import { formatCount, plural } from '../words/format.ts'
import { describeSkip } from '../words/row-words.ts'
import styles from './inspector.module.css'

interface FolderSumsProps {
  readonly items: TransferItems
  readonly isUpload: boolean
  /** Nothing is listed now. */
  readonly isAtRest: boolean
}

/** How far the files of a folder are, in place of a parts map. */
export function FolderSums({ items, isUpload, isAtRest }: FolderSumsProps) {
  const { done, failed, total, isCounted } = items
  const left = Math.max(0, total - done - failed)
  const sums = [
    `${formatCount(done)} ${isUpload ? 'there' : 'here'}`,
    failed > 0 ? `${formatCount(failed)} not ${isUpload ? 'uploaded' : 'downloaded'}` : '',
    left > 0 ? `${formatCount(left)} left` : '',
    isCounted ? '' : isAtRest ? 'not all listed yet' : 'still listing…',
  ]
  return <p className={styles['rates']}>{sums.filter((sum) => sum !== '').join(' · ')}</p>
}

export interface FolderFailuresProps {
  readonly row: TransferRow
  readonly failures: readonly ItemFailure[]
  readonly placeName: string
}

/** Which files were not downloaded, and why. */
export function FolderFailures({ row, failures, placeName }: FolderFailuresProps) {
  const more = (row.items?.failed ?? 0) - failures.length
  return (
    <>
      <ul className={styles['failures']}>
        {failures.map(({ key, error }) => {
          const path = visibleText(key.startsWith(row.key) ? key.slice(row.key.length) : key)
          const context = { name: path, placeName, bucket: row.bucket, localPath: row.localPath }
          return (
            <li key={key}>
              <span className={styles['failureName']}>{path}</span>
              <span className={styles['failureReason']}>{describeError(error, context).sentence}</span>
            </li>
          )
        })}
      </ul>
      {more > 0 && <p className={styles['rates']}>And {plural(more, 'other file')}.</p>}
    </>
  )
}

/** What a folder upload leaves out, and why. */
export function LeftOut({ skipped: { count, named } }: { readonly skipped: SkippedSums }) {
  const more = count - named.length
  return (
    <>
      <ul className={styles['failures']}>
        {named.map(({ path, reason }) => (
          <li key={path}>
            <span className={styles['failureName']} title={path}>
              {path}
            </span>
            <span className={styles['failureReason']}>{describeSkip(reason)}</span>
          </li>
        ))}
      </ul>
      {more > 0 && <p className={styles['rates']}>And {plural(more, 'other')}.</p>}
    </>
  )
}
