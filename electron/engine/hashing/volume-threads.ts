import { unlessAborted } from '../../async/unless-aborted.ts'
import type { HashThreads } from './hash-threads.ts'

/** What answers requests about the files of a volume. */
export type Threads = Pick<HashThreads, 'ask'>

/** The device of the volume that a file is on; null if its folder can't be found. Must not reject. */
export type DeviceOf = (path: string) => Promise<number | null>

/**
 * Threads for the files of each volume: a read blocks its thread, forever on a share that is away, and files of other
 * volumes must not wait behind it.
 */
export class VolumeThreads {
  readonly #start: () => HashThreads
  readonly #deviceOf: DeviceOf
  /** Under null the threads for files whose folder can't be found: reads of them fail. */
  readonly #byDevice = new Map<number | null, HashThreads>()
  #isClosed = false

  constructor(start: () => HashThreads, deviceOf: DeviceOf) {
    this.#start = start
    this.#deviceOf = deviceOf
  }

  /** The threads that read a file. Requests wait until it is known which volume the file is on. */
  of(path: string): Threads {
    const found = this.#deviceOf(path)
    return {
      ask: async (asked, pin, signal) => {
        const device = await unlessAborted(found, signal)
        if (this.#isClosed) throw new Error('The hasher was closed')
        return this.#on(device).ask(asked, pin, signal)
      },
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all([...this.#byDevice.values()].map((threads) => threads.close()))
  }

  #on(device: number | null): HashThreads {
    const threads = this.#byDevice.get(device) ?? this.#start()
    this.#byDevice.set(device, threads)
    return threads
  }
}
