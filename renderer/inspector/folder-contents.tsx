// What the inspector shows about a folder transfer: sums, failures, what was left out.

import { joined } from '../../shared/language/joined.ts'
import { t } from '../../shared/language/translate.ts'
import { describeError } from '../../shared/transfer/words/error-words.ts'
import { visibleText } from '../../shared/visible-text.ts'
import type { ItemFailure, SkippedSums, TransferItems, TransferRow } from '../../shared/transfer/transfer.ts'
import { describeSkip, fileErrorContext } from '../words/row-words.ts'
import styles from './inspector.module.css'

interface FolderSumsProps {
  readonly items: TransferItems
  readonly direction: TransferRow['direction']
  /** Whether the folder isn't being listed now. */
  readonly isAtRest: boolean
}

/** The progress of a folder's files, in place of a parts map. */
export function FolderSums({ items, direction, isAtRest }: FolderSumsProps) {
  const { done, alreadyThere = 0, skipped = 0, failed, total, isCounted } = items
  const left = Math.max(0, total - done - failed)
  const sums = [
    done > skipped || skipped === 0 ? t('inspector.files.done', { direction, count: done - skipped }) : '',
    alreadyThere > 0 ? t('inspector.files.already-there', { direction, count: alreadyThere }) : '',
    skipped > 0 ? t('inspector.files.left-alone', { count: skipped }) : '',
    failed > 0 ? t('inspector.files.failed', { direction, count: failed }) : '',
    left > 0 ? t('inspector.files.left', { count: left }) : '',
    isCounted ? '' : t(isAtRest ? 'inspector.files.not-all-listed' : 'inspector.files.listing'),
  ]
  return <p className={styles['rates']}>{joined(...sums)}</p>
}

export interface FolderFailuresProps {
  readonly row: TransferRow
  readonly failures: readonly ItemFailure[]
  readonly placeName: string
}

/** Which files were not transferred, and why. */
export function FolderFailures({ row, failures, placeName }: FolderFailuresProps) {
  const more = (row.items?.failed ?? 0) - failures.length
  return (
    <>
      <ul className={styles['failures']}>
        {failures.map(({ key, error }) => {
          const path = key.startsWith(row.key) ? key.slice(row.key.length) : key
          const { sentence } = describeError(error, fileErrorContext(path, row, placeName))
          return (
            <li key={key}>
              <bdi className={styles['failureName']}>{visibleText(path)}</bdi>
              <span className={styles['failureReason']}>{sentence}</span>
            </li>
          )
        })}
      </ul>
      {more > 0 && <p className={styles['rates']}>{t('inspector.files.more-files', { count: more })}</p>}
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
      {more > 0 && <p className={styles['rates']}>{t('inspector.files.more', { count: more })}</p>}
    </>
  )
}
