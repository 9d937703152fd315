import { isFinal, type TransferId } from '../../../../shared/transfer/transfer.ts'
import type { StoreLocation, TransferRecord } from '../../core/records.ts'
import { openRecord, sealRecord, type Sealer } from './link-secrets.ts'

/** Keeps the links of records secret in the database. */
export interface KeptLinks {
  /** Returns the record as it is kept; the same object if nothing has to be hidden. */
  readonly keep: (record: TransferRecord) => TransferRecord
  readonly open: (record: TransferRecord) => TransferRecord
  /** Forgets the remembered links of these transfers: from now on only what their records say is kept. */
  readonly forget: (ids: readonly TransferId[]) => void
  /** Notes that plain text has been overwritten or removed. */
  readonly spend: () => void
  /** Whether plain text was overwritten or removed since the last call. */
  readonly takeSpent: () => boolean
}

/** The link of a finished transfer stays in memory: until the program ends, the transfer may be started over. */
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
