import { dirname } from 'node:path'
import { unlessAborted } from '../../async/unless-aborted.ts'
import type { FileSystem } from '../core/deps.ts'
import type { HashThreads } from './hash-threads.ts'

/** When the volumes of this many folders are known, all are forgotten. */
const KNOWN_FOLDERS = 1000

/** What answers requests about the files of a volume. */
export type Threads = Pick<HashThreads, 'ask'>

/**
 * Threads for the files of each volume: a read blocks its thread, forever on a share that is away, and files of other
 * volumes must not wait behind it.
 */
export class VolumeThreads {
  readonly #start: () => HashThreads
  readonly #fileSystem: Pick<FileSystem, 'stat'>
  readonly #byVolume = new Map<number, HashThreads>()
  readonly #byFolder = new Map<string, Promise<HashThreads>>()
  #isClosed = false

  constructor(start: () => HashThreads, fileSystem: Pick<FileSystem, 'stat'>) {
    this.#start = start
    this.#fileSystem = fileSystem
  }

  /** The threads that read a file. Requests wait until it is known which volume the file is on. */
  of(path: string): Threads {
    const found = this.#ofFolder(dirname(path))
    return {
      ask: async (asked, pin, signal) => {
        const threads = await unlessAborted(found, signal)
        if (this.#isClosed) throw new Error('The hasher was closed')
        return threads.ask(asked, pin, signal)
      },
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all([...this.#byVolume.values()].map((threads) => threads.close()))
  }

  #ofFolder(folder: string): Promise<HashThreads> {
    const known = this.#byFolder.get(folder)
    if (known !== undefined) return known
    if (this.#byFolder.size >= KNOWN_FOLDERS) this.#byFolder.clear()
    // If the folder can't be found, the read itself fails.
    const found = this.#fileSystem.stat(folder).then(
      ({ dev }) => this.#ofVolume(dev),
      () => this.#ofVolume(0),
    )
    this.#byFolder.set(folder, found)
    return found
  }

  #ofVolume(device: number): HashThreads {
    const threads = this.#byVolume.get(device) ?? this.#start()
    this.#byVolume.set(device, threads)
    return threads
  }
}
