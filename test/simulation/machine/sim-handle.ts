import type { SimFile } from './sim-disk.ts'
import type { SimFileSystemParts } from '../sim-parts.ts'
import { statsOf, systemError, timeOf } from './sim-stats.ts'

/** What a handle needs of its file system. */
interface Performer {
  openHandles: number
  perform<Value>(call: string, path: string, action: () => Value): Promise<Value>
}

/** An open file, or an open folder where `file` is null. */
export class SimHandle {
  readonly #fileSystem: Performer
  readonly #path: string
  readonly #file: SimFile | null
  readonly #parts: SimFileSystemParts
  #isOpen = true

  constructor(fileSystem: Performer, path: string, file: SimFile | null, parts: SimFileSystemParts) {
    this.#fileSystem = fileSystem
    this.#path = path
    this.#file = file
    this.#parts = parts
  }

  async write(bytes: Uint8Array, offset = 0, length = bytes.length - offset, position: number | null = null) {
    const { bytesWritten } = await this.writev([bytes.subarray(offset, offset + length)], position ?? 0)
    return { bytesWritten, buffer: bytes }
  }

  writev(blocks: readonly Uint8Array[], position: number): Promise<{ bytesWritten: number }> {
    const { faults, trace } = this.#parts
    return this.#perform('write', (file) => {
      const all = Buffer.concat(blocks)
      const grows = position + all.length > file.bytes.length
      if (grows && faults.isDiskFull) throw systemError('ENOSPC', 'write', this.#path)
      const bytes = faults.isShortWrite() ? all.subarray(0, Math.ceil(all.length / 2)) : all
      trace.note(`  at ${position}, ${bytes.length} bytes`)
      this.#parts.rules.beforeChange('write', this.#path, file)
      file.write(position, bytes)
      return { bytesWritten: bytes.length }
    })
  }

  /** At the end of the file. */
  appendFile(content: string | Uint8Array): Promise<void> {
    return this.#perform('write', (file) => {
      if (this.#parts.faults.isDiskFull) throw systemError('ENOSPC', 'write', this.#path)
      file.write(file.bytes.length, Buffer.from(content as string))
    })
  }

  writeFile(content: string | Uint8Array): Promise<void> {
    return this.#perform('write', (file) => {
      if (this.#parts.faults.isDiskFull) throw systemError('ENOSPC', 'write', this.#path)
      file.write(0, Buffer.from(content as string))
    })
  }

  read(buffer: Uint8Array, offset: number, length: number, position: number): Promise<{ bytesRead: number }> {
    return this.#perform('read', (file) => {
      const bytes = file.bytes.subarray(position, position + length)
      buffer.set(bytes, offset)
      return { bytesRead: bytes.length, buffer }
    })
  }

  readFile(encoding?: unknown): Promise<unknown> {
    return this.#perform('read', (file) => (encoding === undefined ? Buffer.from(file.bytes) : file.bytes.toString()))
  }

  stat(options?: { readonly bigint?: boolean }): Promise<unknown> {
    return this.#perform('stat', (file) => statsOf(file, options?.bigint === true))
  }

  truncate(sizeBytes: number): Promise<void> {
    return this.#perform('truncate', (file) => {
      this.#parts.rules.beforeChange('write', this.#path, file)
      file.truncate(sizeBytes)
    })
  }

  utimes(_accessed: unknown, modified: Date | number): Promise<void> {
    return this.#perform('utimes', (file) => {
      file.modifiedMs = timeOf(modified)
    })
  }

  sync(): Promise<void> {
    if (this.#file === null) {
      return this.#fileSystem.perform('syncFolder', this.#path, () => {
        this.#parts.disk.folder(this.#path).sync()
      })
    }
    const { faults } = this.#parts
    return this.#perform('sync', (file) => {
      if (!faults.isFailedSync()) file.sync()
      else {
        this.#parts.trace.note('  the sync failed')
        faults.damage(file)
        throw systemError('EIO', 'fsync', this.#path)
      }
    })
  }

  datasync(): Promise<void> {
    return this.sync()
  }

  close(): Promise<void> {
    return this.#fileSystem.perform('close', this.#path, () => {
      if (this.#isOpen) this.#fileSystem.openHandles -= 1
      this.#isOpen = false
      const code = this.#parts.faults.fileSystemFault('closed')
      if (code !== null) throw systemError(code, 'close', this.#path)
    })
  }

  #perform<Value>(call: string, effect: (file: SimFile) => Value): Promise<Value> {
    return this.#fileSystem.perform(call, this.#path, () => {
      if (!this.#isOpen) throw systemError('EBADF', call, this.#path)
      if (this.#file === null) throw systemError('EISDIR', call, this.#path)
      return effect(this.#file)
    })
  }
}
