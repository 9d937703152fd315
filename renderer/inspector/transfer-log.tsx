import type { TransferLogEntry } from '../../shared/transfer/transfer.ts'
import { formatClock } from '../words/format.ts'
import styles from './inspector.module.css'

/** The history of a transfer, latest first, with the service's request ids. */
export function TransferLog({ entries }: { readonly entries: readonly TransferLogEntry[] }) {
  return (
    <ol className={styles['log']}>
      {entries.toReversed().map(({ atMs, text, requestId }, index) => (
        <li key={entries.length - index} className={styles['logEntry']}>
          <time className={styles['time']}>{formatClock(atMs)}</time>
          <span className={styles['logText']}>
            {text}
            {requestId !== null && <span className={styles['requestId']}>{requestId}</span>}
          </span>
        </li>
      ))}
    </ol>
  )
}
