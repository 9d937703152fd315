import type { TransferEntry } from '../../transfer/transfer-entry.ts'

/** Which transfers are busy, with a run or the clean-up after it, and which keys and files they write to. */
export class Occupancy {
  /** How many transfers are busy with each key or file. */
  readonly #keys = new Map<string, number>()
  readonly #busy = new Set<Promise<void>>()
  readonly #onFreed: () => void

  /** @param onFreed called when a transfer is no longer busy. */
  constructor(onFreed: () => void) {
    this.#onFreed = onFreed
  }

  get isQuiet(): boolean {
    return this.#busy.size === 0
  }

  /** Whether a transfer is busy with this key or file. */
  has(exclusiveKey: string): boolean {
    return this.#keys.has(exclusiveKey)
  }

  /** Does `work` on a transfer while nothing else happens to it or to what it writes to. `work` must not reject. */
  occupy(entry: TransferEntry, work: () => Promise<void>): Promise<void> {
    const key = entry.exclusiveKey
    const before = entry.busy ?? Promise.resolve()
    this.#keys.set(key, (this.#keys.get(key) ?? 0) + 1)
    const busy = before.then(work).finally(() => {
      this.#busy.delete(busy)
      this.#leave(key)
      if (entry.busy === busy) entry.busy = null
      this.#onFreed()
    })
    entry.busy = busy
    this.#busy.add(busy)
    return busy
  }

  /** Resolves once nothing is busy any more. */
  async untilQuiet(): Promise<void> {
    while (this.#busy.size > 0) await Promise.all(this.#busy)
  }

  #leave(key: string): void {
    const left = (this.#keys.get(key) ?? 0) - 1
    if (left > 0) this.#keys.set(key, left)
    else this.#keys.delete(key)
  }
}
