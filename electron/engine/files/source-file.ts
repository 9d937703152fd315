import type { BigIntStats } from 'node:fs'
import { rangeLength, type ByteRange } from '../../../shared/byte-range.ts'
import { unlessAborted } from '../../async/unless-aborted.ts'
import type { EngineDeps, FileSystem, HashedRead, Hasher } from '../core/deps.ts'
import { errnoCode } from '../../errno/errno.ts'
import type { SourceIdentity } from '../core/records.ts'
import { SourceAway, SourceTouched, TransferError } from '../core/transfer-error.ts'
import { guardOf, isAway } from './file-errors.ts'

/**
 * The file an upload reads, bound to the version that was planned. Methods throw TransferError `source-…`. SourceAway
 * means that the file can't be reached now, but can be waited for: `check` tells whether it comes back as planned.
 */
export interface SourceFile {
  readonly identity: SourceIdentity
  /** Throws `source-changed` unless the path leads to the very version that was bound; SourceTouched if it may. */
  check(): Promise<void>
  /** Hex MD5 of a range, computed on another thread. */
  md5(range: ByteRange, signal: AbortSignal): Promise<string>
  /** Reads a range once, on another thread, and hashes what it reads. */
  read(range: ByteRange): HashedRead
}

/**
 * Binds the file at `path` to the version it has now. Throws TransferError when it is missing or unreadable, or the
 * reason of `signal`: a network drive that hangs must not hold up a stop.
 */
export async function bindSource(
  deps: Pick<EngineDeps, 'fileSystem' | 'hasher'>,
  path: string,
  signal: AbortSignal,
  platform: NodeJS.Platform = process.platform,
): Promise<SourceFile> {
  const { fileSystem, hasher } = deps
  const source: BoundSource = { path, platform, signal, wasRead: false }
  const identity = await readIdentity(fileSystem, source)
  return {
    identity,
    async check() {
      const now = await readIdentity(fileSystem, source)
      if (!isSameContent(identity, now)) throw sourceChanged(`The size or modification time of ${path} changed`)
      if (!isSameVersion(identity, now)) throw new SourceTouched('source-changed', `${path} was moved or replaced`)
    },
    async md5(range, signal) {
      try {
        const md5 = await hasher.md5(path, range.start, rangeLength(range), signal)
        source.wasRead = true
        return md5
      } catch (error) {
        if (signal.aborted) throw error
        throw sourceError(error, source)
      }
    },
    read: (range) => readOf(hasher, source, range),
  }
}

interface BoundSource {
  readonly path: string
  readonly platform: NodeJS.Platform
  /** The signal of the run that bound it. */
  readonly signal: AbortSignal
  /** Whether something was read, so this person may read the file. */
  wasRead: boolean
}

/** True when nothing suggests that the content may differ. */
export function isSameVersion(a: SourceIdentity, b: SourceIdentity): boolean {
  return isSameContent(a, b) && a.device === b.device && a.fileId === b.fileId && a.changedNs === b.changedNs
}

/**
 * True when size and modification time are the same. Device and file number may still differ after a restart, and the
 * change time after a rename or a change of permissions: then the bytes must be proven again.
 */
export function isSameContent(a: SourceIdentity, b: SourceIdentity): boolean {
  return a.sizeBytes === b.sizeBytes && a.modifiedNs === b.modifiedNs
}

/** The error of an upload whose file has changed. */
export function sourceChanged(detail: string): TransferError {
  return new TransferError('source-changed', detail)
}

async function readIdentity(fileSystem: FileSystem, source: BoundSource): Promise<SourceIdentity> {
  const { path, signal } = source
  let stats: BigIntStats
  try {
    stats = await unlessAborted(statKnown(fileSystem, path), signal)
  } catch (error) {
    if (signal.aborted || error instanceof TransferError) throw error
    throw sourceError(error, source)
  }
  if (!stats.isFile()) throw new TransferError('source-unreadable', `${path} is not a regular file`)
  return {
    device: stats.dev.toString(),
    fileId: stats.ino.toString(),
    sizeBytes: Number(stats.size),
    modifiedNs: stats.mtimeNs.toString(),
    changedNs: stats.ctimeNs.toString(),
  }
}

/**
 * The facts of a file, with its size. Files that produce their content when read, as in /proc and on some network
 * drives, claim to be empty: throws TransferError `source-unreadable` for them.
 */
async function statKnown(fileSystem: FileSystem, path: string): Promise<BigIntStats> {
  const stats = await fileSystem.stat(path, { bigint: true })
  if (!stats.isFile() || stats.size > 0n || !(await hasContent(fileSystem, path))) return stats
  // Another program may have just begun to write it.
  const now = await fileSystem.stat(path, { bigint: true })
  if (now.size > 0n) return now
  throw new TransferError('source-unreadable', `${path} has content but reports a size of 0`)
}

async function hasContent(fileSystem: FileSystem, path: string): Promise<boolean> {
  const file = await fileSystem.open(path, 'r')
  try {
    return (await file.read(Buffer.alloc(1), 0, 1, 0)).bytesRead > 0
  } finally {
    await file.close()
  }
}

/** Wraps a hashed read: its failures are thrown as errors of the source. */
function readOf(hasher: Hasher, source: BoundSource, range: ByteRange): HashedRead {
  const reading = hasher.read(source.path, range.start, rangeLength(range))
  return {
    async next(block, signal) {
      try {
        const read = await reading.next(block, signal)
        source.wasRead = true
        return read
      } catch (error) {
        if (signal.aborted) throw error
        throw sourceError(error, source)
      }
    },
    end: () => reading.end(),
  }
}

function sourceError(error: unknown, { path, platform, wasRead }: BoundSource): TransferError {
  const detail = error instanceof Error ? error.message : String(error)
  const code = errnoCode(error)
  if (code === null) return new TransferError('internal', detail, { cause: error })
  if (code === 'ESHORTREAD') return sourceChanged(`${path} got shorter while it was being read`)
  // Windows gives the same error for a drive that was pulled out as for a file that may not be read.
  const isGone = wasRead && platform === 'win32' && code === 'EPERM'
  if (isGone || isAway(code)) return new SourceAway('source-missing', detail, { cause: error })
  return new TransferError('source-unreadable', detail, { cause: error, ...guardOf(code, platform) })
}
