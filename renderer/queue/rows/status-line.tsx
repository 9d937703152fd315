import { Check, CircleAlert, Clock, Pause } from 'lucide-react'
import { joined } from '../../../shared/language/joined.ts'
import { t } from '../../../shared/language/translate.ts'
import type { TransferRow } from '../../../shared/transfer/transfer.ts'
import { formatExactBytes } from '../../words/format.ts'
import {
  bytesToName,
  describeAmount,
  describePace,
  describeRowInTwo,
  describeUnderWay,
  placeNameOf,
  shownBytes,
  wholeSize,
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
  const isMoving = row.status === 'transferring'
  const [words, whole] = isMoving
    ? // Leave out facts that have their own column.
      [describeAmount(row), describePace(row, columns)]
    : describeRowInTwo(row, {
        stoppingFor: stoppingFor(row.id),
        nowMs,
        ahead,
        isLong,
        placeName: placeNameOf(row, place),
      })
  return (
    <div id={id} className={cx(styles['status'], row.status === 'failed' && styles['danger'])}>
      <StatusGlyph row={row} />
      <span className={styles['words']} title={isMoving ? exactProgress(row) : joined(words, whole)}>
        {words}
      </span>
      <UnderWay row={row} />
      {whole !== '' && <span className={styles['whole']}>{` · ${whole}`}</span>}
    </div>
  )
}

/** What is on the way of an upload. In a narrow list it is seen as a mere number. */
function UnderWay({ row }: Pick<StatusLineProps, 'row'>) {
  const words = describeUnderWay(row)
  if (words === '') return null
  return (
    <span className={styles['underWay']} title={exactProgress(row)}>
      <span className={styles['long']}>{` · ${words}`}</span>
      <span className={styles['short']} aria-hidden>{` · ${describeUnderWay(row, 'short')}`}</span>
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
