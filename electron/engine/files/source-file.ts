import type { BigIntStats } from 'node:fs'
import { rangeLength, type ByteRange } from '../../../shared/byte-range.ts'
import type { EngineDeps, FileSystem, HashedRead, Hasher } from '../core/deps.ts'
import { errnoCode } from '../core/errno.ts'
import type { SourceIdentity } from '../core/records.ts'
import { SourceAway, SourceTouched, TransferError } from '../core/transfer-error.ts'

/**
 * The file an upload reads, bound to the version that was planned. Methods throw TransferError `source-…`; SourceAway
 * while it can't be reached, which can be waited out: `check` tells whether what comes back is what was planned.
 */
export interface SourceFile {
  readonly identity: SourceIdentity
  /** Throws `source-changed` unless the path leads to the very version that was bound; SourceTouched if it may. */
  check(): Promise<void>
  /** Hex MD5 of a range, computed off this thread. */
  md5(range: ByteRange, signal: AbortSignal): Promise<string>
  /** Reads a range once, off this thread, and hashes what it reads. */
  read(range: ByteRange): HashedRead
}

/** Binds the file at `path` to the version it has now. Throws TransferError when it is missing or unreadable. */
export async function bindSource(deps: Pick<EngineDeps, 'fileSystem' | 'hasher'>, path: string): Promise<SourceFile> {
  const { fileSystem, hasher } = deps
  const identity = await readIdentity(fileSystem, path)
  return {
    identity,
    async check() {
      const now = await readIdentity(fileSystem, path)
      if (!isSameContent(identity, now)) throw sourceChanged(`Size or time of ${path} is not what it was`)
      if (!isSameVersion(identity, now)) throw new SourceTouched('source-changed', `${path} was moved or replaced`)
    },
    async md5(range, signal) {
      try {
        return await hasher.md5(path, range.start, rangeLength(range), signal)
      } catch (error) {
        if (signal.aborted) throw error
        throw sourceError(error, path)
      }
    },
    read: (range) => readOf(hasher, path, range),
  }
}

/** True when nothing tells that the content may be another. */
export function isSameVersion(a: SourceIdentity, b: SourceIdentity): boolean {
  return isSameContent(a, b) && a.device === b.device && a.fileId === b.fileId && a.changedNs === b.changedNs
}

/**
 * True when size and modification time are the same. Device and file numbers may differ after a restart, and the change
 * time after a rename or a new permission: then the bytes must be proven again.
 */
export function isSameContent(a: SourceIdentity, b: SourceIdentity): boolean {
  return a.sizeBytes === b.sizeBytes && a.modifiedNs === b.modifiedNs
}

/** The error of an upload whose file became another one. */
export function sourceChanged(detail: string): TransferError {
  return new TransferError('source-changed', detail)
}

async function readIdentity(fileSystem: FileSystem, path: string): Promise<SourceIdentity> {
  let stats: BigIntStats
  try {
    stats = await fileSystem.stat(path, { bigint: true })
  } catch (error) {
    throw sourceError(error, path)
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

/** A reading whose failures are the source's. */
function readOf(hasher: Hasher, path: string, range: ByteRange): HashedRead {
  const reading = hasher.read(path, range.start, rangeLength(range))
  return {
    async next(block, signal) {
      try {
        return await reading.next(block, signal)
      } catch (error) {
        if (signal.aborted) throw error
        throw sourceError(error, path)
      }
    },
    end: () => reading.end(),
  }
}

/** What a drive or a share says that is not there now, or a file that was moved away. */
const AWAY_CODES = new Set(
  [
    'ENOENT',
    'ENOTDIR',
    'ENODEV',
    'ENXIO',
    'EIO',
    'ENOTCONN',
    'ESTALE',
    'ENOMEDIUM',
    'EHOSTDOWN',
    'EHOSTUNREACH',
  ].concat(['ENETDOWN', 'ENETUNREACH', 'ETIMEDOUT']),
)

function sourceError(error: unknown, path: string): TransferError {
  const detail = error instanceof Error ? error.message : String(error)
  const code = errnoCode(error)
  if (code === null) return new TransferError('internal', detail, { cause: error })
  if (code === 'ESHORTREAD') return sourceChanged(`${path} became shorter while it was read`)
  if (AWAY_CODES.has(code)) return new SourceAway('source-missing', detail, { cause: error })
  return new TransferError('source-unreadable', detail, { cause: error })
}
