import { isFinal, type TransferId } from '../../../../shared/transfer/transfer.ts'
import type { StoreLocation, TransferRecord } from '../../core/records.ts'
import { openRecord, sealRecord, type Sealer } from './link-secrets.ts'

/** How the links of records are kept. */
export interface KeptLinks {
  /** The record as it is kept; the same one where nothing of it is to be hidden. */
  readonly keep: (record: TransferRecord) => TransferRecord
  readonly open: (record: TransferRecord) => TransferRecord
  /** Their links are of no use any more: what is kept of them from now on is what records say. */
  readonly forget: (ids: readonly TransferId[]) => void
  /** Something that was in plain text has been overwritten or removed. */
  readonly spend: () => void
  /** Whether something was overwritten or removed since this was last asked. */
  readonly takeSpent: () => boolean
}

/** A transfer that is over may be started over until the program ends, so its link stays in memory. */
export function createKeptLinks(sealer: Sealer): KeptLinks {
  const hidden = new Map<TransferId, StoreLocation>()
  let isSpent = false

  function keep(record: TransferRecord): TransferRecord {
    const isOver = isFinal(record.status)
    const known = isOver ? undefined : hidden.get(record.id)
    const located = known === undefined ? record : { ...record, location: known }
    const kept = sealRecord(located, sealer)
    if (isOver && kept !== located) {
      hidden.set(record.id, openRecord(located, sealer).location)
      isSpent = true
    }
    return kept
  }

  return {
    keep,
    open: (record) => openRecord(record, sealer),
    forget: (ids) => {
      for (const id of ids) hidden.delete(id)
    },
    spend: () => {
      isSpent = true
    },
    takeSpent: () => {
      const was = isSpent
      isSpent = false
      return was
    },
  }
}
