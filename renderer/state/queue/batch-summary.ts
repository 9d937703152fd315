import type { TransferDelta } from '../../../shared/transfer/transfer-delta.ts'
import type { TransferId, TransferRow } from '../../../shared/transfer/transfer.ts'
import type { StatusChange } from './apply-delta.ts'

/** Rows that come within this time of others are of one batch, milliseconds. */
const TOGETHER_MS = 400

/** How a batch ended. */
export interface BatchSummary {
  readonly uploaded: readonly TransferId[]
  readonly downloaded: readonly TransferId[]
  readonly failed: readonly TransferId[]
}

interface Batch {
  /** Its own among all batches. */
  readonly number: number
  readonly rows: Map<TransferId, Pick<TransferRow, 'direction'>>
  /** Not ended yet. */
  readonly open: Set<TransferId>
  readonly done: Set<TransferId>
  readonly failed: Set<TransferId>
}

/** Follows what was added together. A batch is told of once, when all of it has finished or failed. */
export class Batches {
  readonly #sinceMs: number
  readonly #nowMs: () => number
  readonly #tell: (summary: BatchSummary, number: number) => void
  readonly #batchOf = new Map<TransferId, Batch>()
  /** What is taken off the list and put back is not added anew. */
  readonly #followed = new Set<TransferId>()
  #latest: Batch | null = null
  #addedAtMs = -Infinity

  /**
   * @param sinceMs rows made before, epoch milliseconds, are of an earlier window
   * @param nowMs monotonic
   * @param tell is told of a batch once more, by the same number, where more came to it after all of it had ended
   */
  constructor(sinceMs: number, nowMs: () => number, tell: (summary: BatchSummary, number: number) => void) {
    this.#sinceMs = sinceMs
    this.#nowMs = nowMs
    this.#tell = tell
  }

  follow({ added, removed }: Pick<TransferDelta, 'added' | 'removed'>): void {
    const fresh = added.filter(({ id, createdAtMs }) => createdAtMs >= this.#sinceMs && !this.#followed.has(id))
    if (fresh.length > 0) {
      if (this.#nowMs() - this.#addedAtMs >= TOGETHER_MS || this.#latest === null) {
        const number = (this.#latest?.number ?? 0) + 1
        this.#latest = { number, rows: new Map(), open: new Set(), done: new Set(), failed: new Set() }
      }
      this.#addedAtMs = this.#nowMs()
      for (const row of fresh) this.#add(row, this.#latest)
      // Some may have ended in the moment in which they came: after all of them are known.
      this.changed(fresh.map(({ id, status }) => ({ id, to: status })))
    }
    for (const id of removed) this.#end(id, null)
  }

  changed(changes: readonly Pick<StatusChange, 'id' | 'to'>[]): void {
    for (const { id, to } of changes) {
      if (to === 'completed') this.#end(id, 'done')
      else if (to === 'failed') this.#end(id, 'failed')
      else if (to === 'canceled') this.#end(id, null)
    }
  }

  #add(row: TransferRow, batch: Batch): void {
    batch.rows.set(row.id, row)
    batch.open.add(row.id)
    this.#batchOf.set(row.id, batch)
    this.#followed.add(row.id)
  }

  #end(id: TransferId, how: 'done' | 'failed' | null): void {
    const batch = this.#batchOf.get(id)
    if (batch === undefined || !batch.open.delete(id)) return
    this.#batchOf.delete(id)
    if (how !== null) batch[how].add(id)
    if (batch.open.size > 0 || batch.done.size + batch.failed.size < 2) return
    const done = [...batch.done]
    const summary = {
      uploaded: done.filter((each) => batch.rows.get(each)?.direction === 'upload'),
      downloaded: done.filter((each) => batch.rows.get(each)?.direction === 'download'),
      failed: [...batch.failed],
    }
    this.#tell(summary, batch.number)
  }
}
