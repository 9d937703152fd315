// What was taken off the list and can be put back, by removal. It is kept until the process ends.

import type { KeptHistory, TransferRecord } from '../../core/records.ts'
import type { DurableProgress } from './durable-progress.ts'

/** The latest removal is kept whatever its size; earlier ones as long as all together have at most this many rows. */
const KEPT_ROWS = 10_000

export interface TakenOff {
  readonly record: TransferRecord
  readonly history: KeptHistory | undefined
  /** Null when there is none. */
  readonly progress: DurableProgress | null
}

export class Removals {
  /** In order; the latest comes last. */
  readonly #taken = new Map<string, readonly TakenOff[]>()

  /** Adds to what a removal took off, because one removal may come in several requests. */
  add(removal: string, taken: readonly TakenOff[]): void {
    if (taken.length === 0) return
    const all = [...(this.#taken.get(removal) ?? []), ...taken]
    this.#taken.delete(removal)
    this.#taken.set(removal, all)
    let rows = [...this.#taken.values()].reduce((sum, each) => sum + each.length, 0)
    for (const [earlier, { length }] of this.#taken) {
      if (rows <= KEPT_ROWS || earlier === removal) return
      this.#taken.delete(earlier)
      rows -= length
    }
  }

  /** Takes out what a removal, or with null the latest one, took off. Returns null when there is none. */
  take(removal: string | null): { readonly removal: string; readonly taken: readonly TakenOff[] } | null {
    const name = removal ?? [...this.#taken.keys()].at(-1)
    const taken = name === undefined ? undefined : this.#taken.get(name)
    if (name === undefined || taken === undefined) return null
    this.#taken.delete(name)
    return { removal: name, taken }
  }
}
