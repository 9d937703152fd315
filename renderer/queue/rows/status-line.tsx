import { Check, CircleAlert, Clock, Pause } from 'lucide-react'
import { joined } from '../../../shared/language/joined.ts'
import { isolated, t } from '../../../shared/language/translate.ts'
import type { TransferRow } from '../../../shared/transfer/transfer.ts'
import { formatExactBytes } from '../../words/format.ts'
import {
  bytesToName,
  describeRow,
  lineOf,
  placeNameOf,
  shownBytes,
  wholeSize,
  type RowFact,
} from '../../words/row-words.ts'
import { placeById, useApp } from '../../state/app-store.ts'
import { useQueuedAhead } from '../../state/queue/waiting-line.ts'
import { stoppingFor } from '../../state/queue/pending-actions.ts'
import { cx } from '../../ui/cx.ts'
import { useHasLasted, useSeconds } from '../../ui/hooks/use-time.ts'
import { useShownColumns } from './columns.ts'
import styles from './transfer-row.module.css'

const LONG_MS = 10_000

export interface StatusLineProps {
  readonly row: TransferRow
  /** The id of its element, which describes the row. */
  readonly id: string
}

/** The second line of a row: words, with a glyph if the transfer is at rest. */
export function StatusLine({ row, id }: StatusLineProps) {
  const place = useApp((state) => placeById(state, row.placeId))
  const columns = useShownColumns()
  const ahead = useQueuedAhead(row.id)
  const nowMs = useSeconds(row.wait !== null && row.wait.retryAtMs !== null)
  const isLong = useHasLasted(row.status === 'completing', LONG_MS)
  const facts = describeRow(
    row,
    { stoppingFor: stoppingFor(row.id), nowMs, ahead, isLong, placeName: placeNameOf(row, place) },
    columns,
  )
  const [first, ...others] = facts
  const title = row.status === 'transferring' ? exactProgress(row) : lineOf(facts)
  return (
    <div id={id} className={cx(styles['status'], row.status === 'failed' && styles['danger'])}>
      {first?.isSentence === true ? (
        <>
          <StatusGlyph row={row} />
          <span className={styles['words']} title={title}>
            {first.text}
          </span>
          {others.length > 0 && (
            <span className={styles['whole']}>
              <span className={styles['separator']}> · </span>
              {lineOf(others)}
            </span>
          )}
        </>
      ) : (
        <Numbers row={row} facts={facts} title={title} />
      )}
    </div>
  )
}

interface NumbersProps extends Pick<StatusLineProps, 'row'> {
  readonly facts: readonly RowFact[]
  readonly title: string
}

/**
 * Facts with numbers, of which as many are seen as fit: a number that is cut off says nothing, or something wrong. A
 * separator goes with the fact after it, so that none is left at the end.
 */
function Numbers({ row, facts, title }: NumbersProps) {
  return (
    <span className={styles['numbers']} title={title}>
      {facts.map(({ text, short, isSpare }, index) => (
        <span
          key={index}
          className={cx(
            styles['fact'],
            isSpare === true && styles['spare'],
            short === '' && styles['brief'],
            !!short && styles['underWay'],
          )}
        >
          {index === 0 ? <StatusGlyph row={row} /> : <span className={styles['separator']}> · </span>}
          <span className={styles['long']}>{isolated(text)}</span>
          {!!short && (
            <span className={styles['short']} aria-hidden>
              {isolated(short)}
            </span>
          )}
        </span>
      ))}
    </span>
  )
}

function exactProgress(row: TransferRow): string {
  const done = formatExactBytes(shownBytes(row))
  const sizeBytes = wholeSize(row)
  if (sizeBytes === null) return done
  const bytes = bytesToName(row)
  return joined(
    t('format.progress', { done, all: formatExactBytes(sizeBytes) }),
    bytes === 0 ? '' : t('transfer.row.under-way', { amount: formatExactBytes(bytes) }),
  )
}

function StatusGlyph({ row }: { readonly row: TransferRow }) {
  const glyph = { size: 12, strokeWidth: 2.25, 'aria-hidden': true } as const
  switch (row.status) {
    case 'queued':
    case 'waiting':
      return <Clock {...glyph} />
    case 'paused':
      return <Pause {...glyph} />
    case 'completed':
      return <Check {...glyph} strokeWidth={3} className={styles['ok']} />
    case 'failed':
      return <CircleAlert {...glyph} />
    default:
      return null
  }
}
