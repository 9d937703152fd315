import type { TransferDelta, TransferPatch } from '../../../shared/transfer/transfer-delta.ts'
import type { TransferId, TransferRow, TransferStatus } from '../../../shared/transfer/transfer.ts'
import { rowName } from '../../../shared/transfer/row-name.ts'
import { compactRow } from './compact-row.ts'

export interface StatusChange {
  readonly id: TransferId
  readonly name: string
  readonly from: TransferStatus
  readonly to: TransferStatus
}

/** What applying a delta changed, so that not all rows have to be walked to find out. */
export interface AppliedDelta {
  readonly order: readonly TransferId[]
  /** Rows whose words, not only their numbers, changed; added ones included. */
  readonly reworded: readonly TransferId[]
  /** Rows of which only numbers changed. */
  readonly progressed: readonly TransferId[]
  readonly statusChanges: readonly StatusChange[]
}

/** Members that change many times a second while bytes move. */
const NUMBERS: ReadonlySet<string> = new Set<keyof TransferRow>([
  'confirmedBytes',
  'inFlightBytes',
  'bytesPerSecond',
  'etaSeconds',
  'unitsDone',
  // A folder's size and items grow while it is listed.
  'sizeBytes',
  'items',
  'activeMs',
])

/**
 * Applies a delta to the table. `rows` is changed in place, because cloning 10,000 entries per frame costs a fifth of
 * the frame. Row objects are never changed: a changed row is a new object, and all others keep their identity.
 */
export function applyDelta(
  rows: Map<TransferId, TransferRow>,
  order: readonly TransferId[],
  delta: TransferDelta,
): AppliedDelta {
  const reworded: TransferId[] = []
  const progressed: TransferId[] = []
  const statusChanges: StatusChange[] = []

  const appended = delta.added.filter((row) => !rows.has(row.id)).map((row) => row.id)
  for (const row of delta.added) {
    rows.set(row.id, compactRow(row))
    reworded.push(row.id)
  }
  for (const patch of delta.patched) {
    const before = rows.get(patch.id)
    if (before === undefined) continue
    const after = { ...before, ...patch }
    rows.set(patch.id, after)
    ;(changesOnlyNumbers(patch) ? progressed : reworded).push(patch.id)
    if (before.status !== after.status) {
      statusChanges.push({ id: after.id, name: rowName(after), from: before.status, to: after.status })
    }
  }
  for (const id of delta.removed) rows.delete(id)

  return { order: nextOrder(order, appended, delta.removed), reworded, progressed, statusChanges }
}

function changesOnlyNumbers(patch: TransferPatch): boolean {
  return Object.keys(patch).every((key) => key === 'id' || NUMBERS.has(key))
}

/** The same array when nothing was added or removed. */
function nextOrder(
  order: readonly TransferId[],
  appended: readonly TransferId[],
  removed: readonly TransferId[],
): readonly TransferId[] {
  const grown = appended.length === 0 ? order : [...order, ...appended]
  if (removed.length === 0) return grown
  const gone = new Set(removed)
  return grown.filter((id) => !gone.has(id))
}
