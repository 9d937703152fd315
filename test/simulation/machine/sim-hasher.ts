import { createHash } from 'node:crypto'
import { crc32 } from '../../../electron/checksums/crc32.ts'
import type { DigestAlgorithm, HashedRead, Hasher, HashStream } from '../../../electron/engine/core/deps.ts'
import { beginDigest } from '../../../electron/engine/hashing/running-digest.ts'
import type { SimDisk } from './sim-disk.ts'
import type { SimFileSystem } from './sim-file-system.ts'
import { systemError } from './sim-stats.ts'

/** Reads the simulated disk as the hash threads read the real one. */
export class SimHasher implements Hasher {
  readonly #fileSystem: SimFileSystem
  readonly #disk: SimDisk
  /** Where reading failed: it does for a moment only, so that whoever reads again loses nothing. */
  readonly #failed = new Set<string>()

  constructor(fileSystem: SimFileSystem, disk: SimDisk) {
    this.#fileSystem = fileSystem
    this.#disk = disk
  }

  async md5(path: string, offset: number, length: number, signal: AbortSignal): Promise<string> {
    const bytes = await this.#read(path, offset, length, signal)
    return createHash('md5').update(bytes).digest('hex')
  }

  async digest(algorithm: DigestAlgorithm, ...range: Parameters<Hasher['md5']>): Promise<string> {
    const digest = beginDigest(algorithm)
    digest.update(await this.#read(...range))
    return digest.digest('hex')
  }

  async crc32(path: string, offset: number, length: number, signal: AbortSignal): Promise<number> {
    return crc32(await this.#read(path, offset, length, signal))
  }

  read(path: string, offset: number, length: number): HashedRead {
    const hash = createHash('md5')
    const end = offset + length
    let at = offset
    return {
      next: async (block, signal) => {
        const from = at
        at += Math.min(block.byteLength, end - at)
        const isLast = at === end
        const bytes = new Uint8Array(block, 0, at - from)
        bytes.set(await this.#read(path, from, bytes.length, signal))
        hash.update(bytes)
        return { bytes, md5: isLast ? hash.digest('hex') : null }
      },
      end: () => Promise.resolve(),
    }
  }

  open(path: string, algorithm: DigestAlgorithm): HashStream {
    const hash = beginDigest(algorithm)
    let position = 0
    return {
      append: async (length, signal) => {
        hash.update(await this.#read(path, position, length, signal))
        position += length
      },
      digest: () => Promise.resolve(hash.digest('hex')),
      end: () => undefined,
    }
  }

  close(): Promise<void> {
    return Promise.resolve()
  }

  async #read(path: string, offset: number, length: number, signal: AbortSignal): Promise<Buffer> {
    signal.throwIfAborted()
    const hangs = this.#fileSystem.hangs(path, signal)
    if (hangs !== null) await hangs
    const place = `${path} ${offset}`
    const call = this.#failed.delete(place) ? 'readAgain' : 'read'
    try {
      return await this.#fileSystem.perform(call, path, () => this.#bytes(path, offset, length, signal))
    } catch (failure) {
      this.#failed.add(place)
      throw failure
    }
  }

  #bytes(path: string, offset: number, length: number, signal: AbortSignal): Buffer {
    signal.throwIfAborted()
    const bytes = this.#disk.file(path)?.bytes.subarray(offset, offset + length)
    if (bytes === undefined) throw systemError('ENOENT', 'open', path)
    if (bytes.length < length) throw systemError('ESHORTREAD', 'read', path)
    return bytes
  }
}
