// What the icon in the notification area tells about the queue.

import { aboutEta, formatEta } from '../../../shared/format/format-eta.ts'
import { rowName } from '../../../shared/transfer/row-name.ts'
import { groupOf } from '../../../shared/transfer/transfer-group.ts'
import type { QueueTotals, TransferDelta, TransferSnapshot } from '../../../shared/transfer/transfer-delta.ts'
import type { TransferId, TransferRow } from '../../../shared/transfer/transfer.ts'
import { joined } from '../../../shared/language/joined.ts'
import { t } from '../../../shared/language/translate.ts'

export const TRAY_STATES = ['idle', 'moving', 'attention'] as const

export interface TrayModel {
  readonly state: (typeof TRAY_STATES)[number]
  /** "3 active · about 26 min". */
  readonly headline: string
  /** The transfers that will be done first, at most three. */
  readonly nearest: readonly { readonly id: TransferId; readonly label: string }[]
  readonly canPause: boolean
  readonly canResume: boolean
}

type TrayRow = Pick<TransferRow, 'id' | 'name' | 'others' | 'status' | 'etaSeconds'>

const MAX_NEAREST = 3
/** Names are cut to this many characters, because menus are as wide as their longest line. */
const MAX_NAME_LENGTH = 40

/** Summarizes the queue at a glance. `active` holds the rows under way, in any order. Pure. */
export function trayModel({ counts, etaSeconds }: QueueTotals, active: readonly TrayRow[]): TrayModel {
  const etaOf = (row: TrayRow): number => row.etaSeconds ?? Infinity
  const nearest = active.toSorted((left, right) =>
    etaOf(left) < etaOf(right) ? -1 : etaOf(left) > etaOf(right) ? 1 : 0,
  )
  return {
    state: counts.attention > 0 ? 'attention' : counts.active > 0 ? 'moving' : 'idle',
    headline: headlineOf(counts, etaSeconds),
    nearest: nearest.slice(0, MAX_NEAREST).map((row) => ({
      id: row.id,
      label: joined(shortened(rowName(row)), row.etaSeconds === null ? '' : formatEta(row.etaSeconds)),
    })),
    canPause: counts.active + counts.waiting > 0,
    canResume: counts.paused > 0,
  }
}

function headlineOf(counts: QueueTotals['counts'], etaSeconds: number | null): string {
  const parts = [
    counts.attention > 0 ? t('shell.tray.needs-you', { count: counts.attention }) : '',
    counts.active > 0 ? t('shell.tray.active', { count: counts.active }) : '',
    counts.active > 0 && etaSeconds !== null ? aboutEta(etaSeconds) : '',
    counts.active === 0 && counts.waiting > 0 ? t('shell.tray.waiting', { count: counts.waiting }) : '',
    counts.active + counts.waiting === 0 && counts.paused > 0 ? t('shell.tray.paused', { count: counts.paused }) : '',
  ]
  return joined(...parts) || t('shell.tray.nothing')
}

function shortened(name: string): string {
  const characters = [...name]
  const half = MAX_NAME_LENGTH / 2
  if (characters.length <= MAX_NAME_LENGTH) return characters.join('')
  return `${characters.slice(0, half).join('')}…${characters.slice(-half).join('')}`
}

export interface TrayRows {
  readonly observe: (delta: TransferDelta) => void
  /** The rows under way. */
  readonly active: () => readonly TrayRow[]
}

/** Follows the queue, so summarizing it costs no more than the rows under way. */
export function createTrayRows({ rows }: Pick<TransferSnapshot, 'rows'>): TrayRows {
  const known = new Map<TransferId, TrayRow>()
  const active = new Set<TransferId>()

  function put({ id, name, others, status, etaSeconds }: TrayRow): void {
    known.set(id, { id, name, others, status, etaSeconds })
    if (groupOf(status) === 'active') active.add(id)
    else active.delete(id)
  }

  rows.forEach(put)
  return {
    observe: ({ added, patched, removed }) => {
      added.forEach(put)
      for (const patch of patched) {
        const before = known.get(patch.id)
        if (before !== undefined) put({ ...before, ...patch })
      }
      for (const id of removed) {
        known.delete(id)
        active.delete(id)
      }
    },
    active: () => [...active].flatMap((id) => known.get(id) ?? []),
  }
}
