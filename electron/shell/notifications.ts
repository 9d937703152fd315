import type { TransferDelta, TransferSnapshot } from '../../shared/transfer/transfer-delta.ts'
import type { TransferId, TransferRow } from '../../shared/transfer/transfer.ts'
import { formatBytes, formatDuration } from '../../shared/format/format-amount.ts'
import { joined } from '../../shared/language/joined.ts'
import { t } from '../../shared/language/translate.ts'
import { rowName } from '../../shared/transfer/row-name.ts'
import { spanOf } from '../../shared/transfer/span-of.ts'

/** Transfers that finish within this many milliseconds share one message. */
const GATHER_MS = 10_000
/** People who waited less than this (milliseconds) were probably watching. */
const WORTH_TELLING_MS = 20_000

export interface Notice {
  readonly kind: 'done' | 'attention'
  readonly title: string
  readonly body: string
  /** The transfers that the message is about. */
  readonly ids: readonly TransferId[]
}

/** What a message needs of a transfer. */
type Known = Pick<
  TransferRow,
  'name' | 'others' | 'direction' | 'status' | 'activeMs' | 'confirmedBytes' | 'finishedAtMs' | 'verification'
>

export interface Notifier {
  observe(delta: TransferDelta): void
  close(): void
}

/**
 * Tells what finished and what needs a person while the window is not being looked at: one message for everything that
 * ends within ten seconds, or at once when the queue has run dry.
 */
export function createNotifier(
  start: TransferSnapshot,
  isLooking: () => boolean,
  show: (notice: Notice) => void,
): Notifier {
  const rows = new Map<TransferId, Known>(start.rows.map((row) => [row.id, row]))
  let finished: TransferId[] = []
  let failed: TransferId[] = []
  let timer: NodeJS.Timeout | undefined

  function flush(): void {
    clearTimeout(timer)
    timer = undefined
    const named = (ids: readonly TransferId[]) => ids.flatMap((id) => rows.get(id) ?? [])
    const notices = [
      { words: doneNotice(named(finished)), ids: finished },
      { words: needsYouNotice(named(failed)), ids: failed },
    ]
    finished = []
    failed = []
    for (const { words, ids } of notices) if (words !== null && !isLooking()) show({ ...words, ids })
  }

  return {
    observe: (delta) => {
      for (const row of delta.added) rows.set(row.id, row)
      for (const { id, ...changes } of delta.patched) {
        const before = rows.get(id)
        if (before === undefined) continue
        const { name, others, direction, status, activeMs, confirmedBytes, finishedAtMs, verification } = {
          ...before,
          ...changes,
        }
        rows.set(id, { name, others, direction, status, activeMs, confirmedBytes, finishedAtMs, verification })
        if (status === before.status) continue
        if (status === 'completed' && activeMs >= WORTH_TELLING_MS) finished.push(id)
        if (status === 'failed') failed.push(id)
      }
      const hasRunDry = delta.totals.counts.active + delta.totals.counts.waiting === 0
      if (finished.length + failed.length > 0) {
        if (hasRunDry) flush()
        else timer ??= setTimeout(flush, GATHER_MS)
      }
      for (const id of delta.removed) rows.delete(id)
    },
    close: () => clearTimeout(timer),
  }
}

function doneNotice(rows: readonly Known[]): Omit<Notice, 'ids'> | null {
  const [first] = rows
  if (first === undefined) return null
  const { direction } = first
  const name = rowName(first)
  const count = rows.length
  const size = formatBytes(rows.reduce((sum, { confirmedBytes }) => sum + confirmedBytes, 0))
  const time = formatDuration(spanOf(rows))
  if (count === 1) {
    const { verification } = first
    const check = verification === null ? '' : t(`transfer.check.${verification}`)
    const body = joined(t('transfer.row.in-time', { size, time }), check)
    return { kind: 'done', title: t(`shell.notice.done.${direction}`, { name }), body }
  }
  const isOneWay = rows.every((row) => row.direction === direction)
  return {
    kind: 'done',
    title: t('shell.notice.done.files', { count, direction: isOneWay ? direction : 'both' }),
    body: t('shell.notice.done.others', { name, count: count - 1, size, time }),
  }
}

function needsYouNotice(rows: readonly Known[]): Omit<Notice, 'ids'> | null {
  const [first] = rows
  if (first === undefined) return null
  const name = rowName(first)
  const count = rows.length
  const title = count === 1 ? t('shell.notice.needs-you', { name }) : t('shell.notice.need-you', { count })
  const keepsBytes = rows.some(({ confirmedBytes }) => confirmedBytes > 0)
  return { kind: 'attention', title, body: t('shell.notice.needs', { kept: keepsBytes ? 'yes' : 'no' }) }
}

/** The part of Electron's notification that is used here. */
interface Shown {
  on(event: 'click' | 'close' | 'failed', listener: () => void): unknown
  show(): void
}

/** Shows notifications and keeps them while they can be clicked: a garbage-collected one receives no click. */
export function createNotificationKeeper() {
  const kept = new Set<Shown>()
  return {
    kept: kept as ReadonlySet<Shown>,
    show: (notification: Shown, onClick: () => void): void => {
      kept.add(notification)
      const forget = (): void => void kept.delete(notification)
      notification.on('click', () => {
        forget()
        onClick()
      })
      notification.on('close', forget)
      notification.on('failed', forget)
      notification.show()
    },
  }
}
