import type { FileState } from '../../../shared/transfer/folder-file.ts'

const STATES: readonly FileState[] = ['waiting', 'active', 'done', 'failed']

/** What the runs of this process found out about the files of a folder, by number: a byte each, there may be a million. */
export class FileStates {
  #states = new Uint8Array(1024)
  #active = new Set<number>()

  get(number: number): FileState {
    return STATES[this.#states[number] ?? 0] ?? 'waiting'
  }

  set(number: number, state: FileState): void {
    if (number >= this.#states.length) {
      const grown = new Uint8Array(Math.max(number + 1, this.#states.length * 2))
      grown.set(this.#states)
      this.#states = grown
    }
    this.#states[number] = STATES.indexOf(state)
    if (state === 'active') this.#active.add(number)
    else this.#active.delete(number)
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
