import type { FileState } from '../../../shared/transfer/folder-file.ts'

const STATES: readonly FileState[] = ['waiting', 'active', 'done', 'already-there', 'skipped', 'failed']

const FIRST_ROOM = 1024

/** What the runs of this process found out about the files of a folder, by number: a byte each, there may be a million. */
export class FileStates {
  /** Grows with the first: most transfers are of one file, and there may be 100,000 of them. */
  #states = new Uint8Array(0)
  #active = new Set<number>()

  get(number: number): FileState {
    return STATES[this.#states[number] ?? 0] ?? 'waiting'
  }

  set(number: number, state: FileState): void {
    if (number >= this.#states.length) {
      const grown = new Uint8Array(Math.max(FIRST_ROOM, number + 1, this.#states.length * 2))
      grown.set(this.#states)
      this.#states = grown
    }
    this.#states[number] = STATES.indexOf(state)
    if (state === 'active') this.#active.add(number)
    else this.#active.delete(number)
  }

  /** The files are numbered anew: what was known of a number was of another file. */
  clear(): void {
    this.#states = new Uint8Array(0)
    this.#active.clear()
  }

  /** Nothing is under way any more. */
  stop(): void {
    for (const number of this.#active) this.set(number, 'waiting')
  }

  /** A run begins: what failed before is tried again. */
  start(): void {
    const failed = STATES.indexOf('failed')
    for (const [number, state] of this.#states.entries()) if (state === failed) this.#states[number] = 0
  }
}
