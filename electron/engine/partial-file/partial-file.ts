import { constants } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { ByteRange } from '../../../shared/byte-range.ts'
import { WRITE_BLOCK_BYTES } from '../../../shared/limits.ts'
import type { FileSystem } from '../core/deps.ts'
import type { DownloadRecord } from '../core/records.ts'
import { onTarget, orNull } from '../files/file-errors.ts'
import { cutToBytes } from '../files/safe-name.ts'
import { syncDirectory } from '../files/sync-directory.ts'
import { crc32 } from '../../checksums/crc32.ts'
import { removePlaceholder } from './placeholder.ts'

/** File names have 255 bytes at most nearly everywhere; dots, id and `.part.json` take the rest. */
const NAME_BYTES = 200

/**
 * Absolute path of the partial file of a download, beside the target, so that publishing stays on one volume. The dot
 * hides it but for Windows, which hides by an attribute: that would stay with the file when it gets its name, and a
 * stop before it is taken away would leave a finished file that nobody sees.
 */
export function partialPathOf(record: DownloadRecord): string {
  const name = cutToBytes(basename(record.targetPath), NAME_BYTES)
  return join(dirname(record.targetPath), `.${name}.${record.id.slice(0, 8)}.part`)
}

/** Path of the small file that tells what a partial file belongs to, should the database be lost. */
export function sidecarPathOf(partialPath: string): string {
  return `${partialPath}.json`
}

/** All names that the sidecar of a partial file may have: the second while it is written anew. */
export function sidecarNamesOf(partialPath: string): readonly [string, string] {
  return [sidecarPathOf(partialPath), `${sidecarPathOf(partialPath)}.new`]
}

/** The bytes of one version of an object on their way to become a file. All writes are positional. */
export class PartialFile {
  readonly path: string
  readonly #fileSystem: FileSystem
  #handle: FileHandle
  #isClosed = false

  private constructor(fileSystem: FileSystem, path: string, handle: FileHandle) {
    this.#fileSystem = fileSystem
    this.path = path
    this.#handle = handle
  }

  /** Creates the file; throws `target-unwritable` when anything, a link included, has its name already. */
  static async create(fileSystem: FileSystem, path: string): Promise<PartialFile> {
    const flags = constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | NO_FOLLOW
    return new PartialFile(fileSystem, path, await onTarget(path, () => fileSystem.open(path, flags)))
  }

  /** Opens the file for more bytes; null when it is gone. */
  static async open(fileSystem: FileSystem, path: string): Promise<PartialFile | null> {
    const handle = await onTarget(path, () => orNull(fileSystem.open(path, constants.O_RDWR | NO_FOLLOW)))
    return handle === null ? null : new PartialFile(fileSystem, path, handle)
  }

  /** Writes `blocks` one after the other from `position`, all of them. */
  async write(blocks: readonly Uint8Array[], position: number): Promise<void> {
    await onTarget(this.path, async () => {
      let rest = blocks.filter((block) => block.length > 0)
      let offset = position
      while (rest.length > 0) {
        const { bytesWritten } = await this.#handle.writev(rest, offset)
        offset += bytesWritten
        rest = withoutFirst(rest, bytesWritten)
      }
    })
  }

  /** Makes what is written survive a power cut. After a failure nothing since the last success may be trusted. */
  async sync(): Promise<void> {
    await this.#handle.datasync()
  }

  /**
   * Writes the bytes of a range once more and gives their CRC-32. After a failed sync the kernel shows bytes that never
   * reached the disk, and takes them for written.
   */
  rewrite(range: ByteRange): Promise<number> {
    return this.copyFrom(this.#handle, this.path, range)
  }

  /** Writes the bytes that `source`, the file at `sourcePath`, has in a range, and gives their CRC-32. */
  async copyFrom(source: FileHandle, sourcePath: string, { start, end }: ByteRange): Promise<number> {
    const block = Buffer.allocUnsafe(Math.min(end - start, WRITE_BLOCK_BYTES))
    let sum = 0
    for (let position = start; position < end;) {
      const length = Math.min(block.length, end - position)
      const { bytesRead } = await onTarget(sourcePath, () => source.read(block, 0, length, position))
      if (bytesRead === 0) break
      const bytes = block.subarray(0, bytesRead)
      await this.write([bytes], position)
      sum = crc32(bytes, sum)
      position += bytesRead
    }
    return sum
  }

  /** The kernel reports a lost write once, to the handle that saw it: after a failed sync a new one is needed. */
  async reopen(): Promise<void> {
    await this.#handle.close().catch(() => undefined)
    this.#handle = await onTarget(this.path, () => this.#fileSystem.open(this.path, constants.O_RDWR | NO_FOLLOW))
  }

  async truncate(sizeBytes: number): Promise<void> {
    await onTarget(this.path, () => this.#handle.truncate(sizeBytes))
  }

  /** Gives the file the object's time, and makes data and metadata durable. */
  async seal(modified: Date | null): Promise<void> {
    await onTarget(this.path, async () => {
      if (modified !== null) await this.#handle.utimes(modified, modified)
      await this.#handle.sync()
    })
  }

  /** May be called again. */
  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    await this.#handle.close()
  }
}

/** Opens no link; 0 on Windows, where Node has no such flag. */
export const NO_FOLLOW = (constants.O_NOFOLLOW as number | undefined) ?? 0

function withoutFirst(blocks: readonly Uint8Array[], bytes: number): Uint8Array[] {
  let skip = bytes
  return blocks.flatMap((block) => {
    const skipped = Math.min(skip, block.length)
    skip -= skipped
    return skipped === block.length ? [] : [block.subarray(skipped)]
  })
}

/**
 * Deletes the partial file of a download, its sidecar and what holds its final name for good, if they are there. The
 * finished file is not touched.
 */
export async function discardDownload(record: DownloadRecord, fileSystem: FileSystem): Promise<void> {
  const { partialPath, publishing } = record
  if (partialPath === null) return
  try {
    await orNull(fileSystem.unlink(partialPath))
    for (const path of sidecarNamesOf(partialPath)) await orNull(fileSystem.unlink(path))
  } finally {
    await removePlaceholder(fileSystem, publishing)
  }
  // Nothing tells of them any more when a power cut brings them back.
  await orNull(syncDirectory(fileSystem, dirname(partialPath)))
}
