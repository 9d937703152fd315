import { joined } from '../../shared/language/joined.ts'
import { t } from '../../shared/language/translate.ts'
import type { TransferLogEntry } from '../../shared/transfer/transfer.ts'
import { formatClock, formatMoment } from '../words/format.ts'
import { describeLogEntry } from '../words/log-words.ts'
import styles from './inspector.module.css'

/** The history of a transfer, latest first, with the service's request ids. */
export function TransferLog({ entries }: { readonly entries: readonly TransferLogEntry[] }) {
  return (
    <ol aria-label={t('inspector.log.title')} className={styles['log']}>
      {entries.toReversed().map(({ atMs, text, requestId, times = 1 }, index) => (
        <li key={entries.length - index} className={styles['logEntry']}>
          <time className={styles['time']} title={formatMoment(atMs)}>
            {formatClock(atMs)}
          </time>
          <span className={styles['logText']}>
            {joined(describeLogEntry(text), times > 1 ? t('inspector.log.times', { count: times }) : '')}
            {requestId !== null && <span className={styles['requestId']}>{requestId}</span>}
          </span>
        </li>
      ))}
    </ol>
  )
}
