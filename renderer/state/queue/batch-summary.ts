import type { TransferDelta } from '../../../shared/transfer/transfer-delta.ts'
import type { TransferId, TransferRow } from '../../../shared/transfer/transfer.ts'
import type { Adding } from './adding.ts'
import type { StatusChange } from './apply-delta.ts'

/** Rows created within this time of each other belong to one batch, milliseconds. */
const TOGETHER_MS = 400

/** How a batch ended. */
export interface BatchSummary {
  readonly uploaded: readonly TransferId[]
  readonly downloaded: readonly TransferId[]
  readonly failed: readonly TransferId[]
}

interface Batch {
  /** Unique among all batches. */
  readonly number: number
  readonly rows: Map<TransferId, Pick<TransferRow, 'direction'>>
  /** The rows that have not ended yet. */
  readonly open: Set<TransferId>
  readonly done: Set<TransferId>
  readonly failed: Set<TransferId>
}

/** Follows rows that were added together. Reports a batch once, when all of it has finished or failed. */
export class Batches {
  readonly #sinceMs: number
  readonly #latestAdding: () => Adding
  readonly #tell: (summary: BatchSummary, number: number) => void
  readonly #batchOf = new Map<TransferId, Batch>()
  /** Rows seen so far: one that is removed from the list and put back must not count as added again. */
  readonly #followed = new Set<TransferId>()
  #latest: Batch | null = null
  /** When the latest row was created, epoch milliseconds. */
  #madeAtMs = -Infinity

  /**
   * @param sinceMs rows created before this, epoch milliseconds, belong to an earlier window
   * @param tell called again with the same number if rows join a batch after all of it had ended
   */
  constructor(sinceMs: number, latestAdding: () => Adding, tell: (summary: BatchSummary, number: number) => void) {
    this.#sinceMs = sinceMs
    this.#latestAdding = latestAdding
    this.#tell = tell
  }

  follow({ added, removed }: Pick<TransferDelta, 'added' | 'removed'>): void {
    const fresh = added.filter(({ id, createdAtMs }) => createdAtMs >= this.#sinceMs && !this.#followed.has(id))
    for (const row of fresh) this.#add(row)
    // Only once all of them are known, because some may have ended at the moment they arrived.
    this.changed(fresh.map(({ id, status }) => ({ id, to: status })))
    for (const id of removed) this.#end(id, null)
  }

  changed(changes: readonly Pick<StatusChange, 'id' | 'to'>[]): void {
    for (const { id, to } of changes) {
      if (to === 'completed') this.#end(id, 'done')
      else if (to === 'failed') this.#end(id, 'failed')
      else if (to === 'canceled') this.#end(id, null)
      else this.#goOn(id)
    }
  }

  #add(row: TransferRow): void {
    const batch = this.#batchFor(row)
    batch.rows.set(row.id, row)
    batch.open.add(row.id)
    this.#batchOf.set(row.id, batch)
    this.#followed.add(row.id)
  }

  #batchFor({ createdAtMs }: TransferRow): Batch {
    const { beganAtMs, endedAtMs } = this.#latestAdding()
    const isOfOneAdding = this.#madeAtMs >= beganAtMs && createdAtMs <= endedAtMs
    const isTogether = isOfOneAdding || createdAtMs - this.#madeAtMs < TOGETHER_MS
    this.#madeAtMs = createdAtMs
    if (this.#latest !== null && isTogether) return this.#latest
    const number = (this.#latest?.number ?? 0) + 1
    this.#latest = { number, rows: new Map(), open: new Set(), done: new Set(), failed: new Set() }
    return this.#latest
  }

  /** A failed row that goes on counts for what it comes to, unless the batch was reported meanwhile. */
  #goOn(id: TransferId): void {
    const batch = this.#batchOf.get(id)
    if (batch !== undefined && batch.open.size > 0 && batch.failed.delete(id)) batch.open.add(id)
  }

  #end(id: TransferId, how: 'done' | 'failed' | null): void {
    const batch = this.#batchOf.get(id)
    if (batch === undefined) return
    const wasOpen = batch.open.delete(id)
    batch.failed.delete(id)
    if (how !== 'failed') this.#batchOf.delete(id)
    if (how !== null) batch[how].add(id)
    if (!wasOpen || batch.open.size > 0 || batch.done.size + batch.failed.size < 2) return
    const done = [...batch.done]
    const summary = {
      uploaded: done.filter((each) => batch.rows.get(each)?.direction === 'upload'),
      downloaded: done.filter((each) => batch.rows.get(each)?.direction === 'download'),
      failed: [...batch.failed],
    }
    this.#tell(summary, batch.number)
  }
}
