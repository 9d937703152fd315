import type { FileState } from '../../../shared/transfer/folder-file.ts'

const STATES: readonly FileState[] = ['waiting', 'active', 'done', 'already-there', 'skipped', 'failed']

const FIRST_ROOM = 1024

/** The states of a folder's files in this process, by number: a byte each, because there may be a million. */
export class FileStates {
  /** Empty until the first is set: most transfers are of one file, and there may be 100,000 transfers. */
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

  /** Forgets everything, because the files are numbered anew. */
  clear(): void {
    this.#states = new Uint8Array(0)
    this.#active.clear()
  }

  /** Ends a run: no file is under way any more. */
  stop(): void {
    for (const number of this.#active) this.set(number, 'waiting')
  }

  /** Begins a run: files that failed before are tried again. */
  start(): void {
    const failed = STATES.indexOf('failed')
    for (const [number, state] of this.#states.entries()) if (state === failed) this.#states[number] = 0
  }
}
