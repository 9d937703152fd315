import { constants } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { ByteRange } from '../../../shared/byte-range.ts'
import { WRITE_BLOCK_BYTES } from '../../../shared/limits.ts'
import type { FileSystem } from '../core/deps.ts'
import { isUnreadable } from '../../errno/errno.ts'
import type { DownloadRecord } from '../core/records.ts'
import { TransferError } from '../core/transfer-error.ts'
import { onTarget, orNull, targetFailure } from '../files/file-errors.ts'
import { cutToBytes } from '../files/safe-name.ts'
import { syncDirectory } from '../../durable/sync-directory.ts'
import { crc32 } from '../../checksums/crc32.ts'
import { removePlaceholder } from './placeholder.ts'

/** Nearly everywhere, file names have at most 255 bytes; dots, id and `.part.json` take the rest. */
const NAME_BYTES = 200

/**
 * Absolute path of the partial file of a download, beside the target to keep publishing on one volume. The dot hides it
 * except on Windows, which hides by an attribute. That would stay with the file when it gets its name, and a stop
 * before its removal would leave a finished file that nobody sees.
 */
export function partialPathOf(record: DownloadRecord): string {
  const name = cutToBytes(basename(record.targetPath), NAME_BYTES)
  return join(dirname(record.targetPath), `.${name}.${record.id.slice(0, 8)}.part`)
}

/** Path of the small file that says what a partial file belongs to, in case the database is lost. */
export function sidecarPathOf(partialPath: string): string {
  return `${partialPath}.json`
}

/** All names that a partial file's sidecar may have; the second while the sidecar is written anew. */
export function sidecarNamesOf(partialPath: string): readonly [string, string] {
  return [sidecarPathOf(partialPath), `${sidecarPathOf(partialPath)}.new`]
}

/** Somebody moved or deleted the partial file while it was written: what it has can no longer become the file. */
export class PartialGone extends TransferError {
  constructor(path: string, options: ErrorOptions = {}) {
    super('partial-gone', `${path} was moved or deleted`, options)
    this.name = 'PartialGone'
  }
}

/** The bytes of one version of an object on their way to become a file. All writes are positional. */
export class PartialFile {
  readonly path: string
  readonly #fileSystem: FileSystem
  /** The folder as it was when the file was opened; null if the file system doesn't tell. */
  readonly #folder: string | null
  #handle: FileHandle
  #isClosed = false

  private constructor(fileSystem: FileSystem, path: string, handle: FileHandle, folder: string | null) {
    this.#fileSystem = fileSystem
    this.path = path
    this.#handle = handle
    this.#folder = folder
  }

  /** Creates the file; throws `target-unwritable` when anything, even a link, has its name already. */
  static async create(fileSystem: FileSystem, path: string): Promise<PartialFile> {
    const flags = constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | NO_FOLLOW
    const handle = await onTarget(path, () => fileSystem.open(path, flags))
    return new PartialFile(fileSystem, path, handle, await folderOf(fileSystem, path))
  }

  /** Opens the file for more bytes; null when it is gone. */
  static async open(fileSystem: FileSystem, path: string): Promise<PartialFile | null> {
    const handle = await onTarget(path, () => orNull(fileSystem.open(path, constants.O_RDWR | NO_FOLLOW)))
    return handle === null ? null : new PartialFile(fileSystem, path, handle, await folderOf(fileSystem, path))
  }

  /**
   * Whether the file has lost its name while its folder is still the same. Then whatever is written goes nowhere, and
   * the system does not say so. False if a drive was removed, which may bring the file back.
   */
  async isGone(): Promise<boolean> {
    const isThere = await orNull(this.#fileSystem.lstat(this.path)).then(
      (found) => found !== null,
      () => true,
    )
    return !isThere && this.#folder !== null && (await folderOf(this.#fileSystem, this.path)) === this.#folder
  }

  /** Writes all of `blocks` one after the other, starting at `position`. */
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

  /** Makes what is written survive a power cut. After a failure, nothing since the last success can be trusted. */
  async sync(): Promise<void> {
    await this.#handle.datasync()
  }

  /**
   * Writes the bytes of a range once more and returns their CRC-32. After a failed sync the kernel still shows bytes
   * that never reached the disk, and takes them for written.
   */
  rewrite(range: ByteRange): Promise<number> {
    return this.copyFrom(this.#handle, this.path, range)
  }

  /**
   * Copies the bytes of a range from `source`, the file at `sourcePath`, up to the first one that isn't there or can't
   * be read, and returns their CRC-32.
   */
  async copyFrom(source: FileHandle, sourcePath: string, { start, end }: ByteRange): Promise<number> {
    const block = Buffer.allocUnsafe(Math.min(end - start, WRITE_BLOCK_BYTES))
    let sum = 0
    for (let position = start; position < end;) {
      const length = Math.min(block.length, end - position)
      const { bytesRead } = await source.read(block, 0, length, position).catch((failure: unknown) => {
        if (isUnreadable(failure)) return { bytesRead: 0 }
        throw targetFailure(failure, sourcePath)
      })
      if (bytesRead === 0) break
      const bytes = block.subarray(0, bytesRead)
      await this.write([bytes], position)
      sum = crc32(bytes, sum)
      position += bytesRead
    }
    return sum
  }

  /** Gets a new handle after a failed sync: the kernel reports a lost write only once, to the handle that saw it. */
  async reopen(): Promise<void> {
    await this.#handle.close().catch(() => undefined)
    this.#handle = await onTarget(this.path, () => this.#fileSystem.open(this.path, constants.O_RDWR | NO_FOLLOW))
  }

  async truncate(sizeBytes: number): Promise<void> {
    await onTarget(this.path, () => this.#handle.truncate(sizeBytes))
  }

  /** Sets the file's time, and makes data and metadata durable. */
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

/** Flag to refuse opening a link; 0 on Windows, where Node has none. */
export const NO_FOLLOW = (constants.O_NOFOLLOW as number | undefined) ?? 0

/** What tells the folder of `path` from others that get its name, as when a drive is removed. */
async function folderOf(fileSystem: FileSystem, path: string): Promise<string | null> {
  try {
    const { dev, ino } = await fileSystem.stat(dirname(path), { bigint: true })
    return `${String(dev)} ${String(ino)}`
  } catch {
    return null
  }
}

function withoutFirst(blocks: readonly Uint8Array[], bytes: number): Uint8Array[] {
  let skip = bytes
  return blocks.flatMap((block) => {
    const skipped = Math.min(skip, block.length)
    skip -= skipped
    return skipped === block.length ? [] : [block.subarray(skipped)]
  })
}

/**
 * Durably deletes the partial file of a download, its sidecar and its placeholder, if they are there. Does not touch
 * the finished file.
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
  // Nothing would know of these files if a power cut brought them back.
  await orNull(syncDirectory(fileSystem, dirname(partialPath)))
}
