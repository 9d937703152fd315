import type { BigIntStats } from 'node:fs'
import { rangeLength, type ByteRange } from '../../shared/byte-range.ts'
import { MIB } from '../../shared/limits.ts'
import type { SourceIdentity } from './checkpoint/checkpoint.ts'
import type { EngineDeps, FileSystem } from './deps.ts'
import { blockBytesUnder, type RateLimiter } from './rate-limiter.ts'
import { errnoCode } from './retry.ts'
import { TransferError } from './transfer-error.ts'

const READ_BYTES = MIB
/** What goes to the connection at a time at most. */
const SEND_BYTES = 64 * 1024

/** The file an upload reads, bound to the version that was planned. Methods throw TransferError `source-…`. */
export interface SourceFile {
  readonly identity: SourceIdentity
  /** Throws `source-changed` unless the path still leads to the very version that was bound. */
  check(): Promise<void>
  /** Hex MD5 of a range, computed off this thread. */
  md5(range: ByteRange, signal: AbortSignal): Promise<string>
  /** The bytes of a range, at the pace of `limiter`. */
  read(range: ByteRange, limiter: RateLimiter, signal: AbortSignal): AsyncGenerator<Uint8Array>
}

/** Binds the file at `path` to the version it has now. Throws TransferError when it is missing or unreadable. */
export async function bindSource(deps: Pick<EngineDeps, 'fileSystem' | 'hasher'>, path: string): Promise<SourceFile> {
  const { fileSystem, hasher } = deps
  const identity = await readIdentity(fileSystem, path)
  return {
    identity,
    async check() {
      const now = await readIdentity(fileSystem, path)
      if (!isSameVersion(identity, now)) throw sourceChanged(`Size or times of ${path} are not what they were`)
    },
    async md5(range, signal) {
      try {
        return await hasher.md5(path, range.start, rangeLength(range), signal)
      } catch (error) {
        if (signal.aborted) throw error
        throw sourceError(error, path)
      }
    },
    read: (range, limiter, signal) => readRange(fileSystem, path, range, { limiter, signal }),
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

async function* readRange(
  fileSystem: FileSystem,
  path: string,
  range: ByteRange,
  { limiter, signal }: { readonly limiter: RateLimiter; readonly signal: AbortSignal },
): AsyncGenerator<Uint8Array> {
  const file = await fileSystem.open(path, 'r').catch((error: unknown) => {
    throw sourceError(error, path)
  })
  try {
    for (let at = range.start; at < range.end;) {
      // A fresh block each time: the connection may still hold the one before.
      const block = Buffer.allocUnsafeSlow(Math.min(READ_BYTES, range.end - at))
      const { bytesRead } = await file.read(block, 0, block.length, at).catch((error: unknown) => {
        throw sourceError(error, path)
      })
      if (bytesRead === 0) throw sourceChanged(`${path} became shorter while it was read`)
      for (let from = 0; from < bytesRead;) {
        const atATime = Math.min(SEND_BYTES, blockBytesUnder(limiter.limitBytesPerSecond))
        const bytes = block.subarray(from, Math.min(from + atATime, bytesRead))
        const turn = limiter.take(bytes.length, signal)
        if (turn !== null) await turn
        yield bytes
        from += bytes.length
      }
      at += bytesRead
    }
  } finally {
    await file.close()
  }
}

function sourceError(error: unknown, path: string): TransferError {
  const detail = error instanceof Error ? error.message : String(error)
  switch (errnoCode(error)) {
    case 'ESHORTREAD':
      return sourceChanged(`${path} became shorter while it was read`)
    case 'ENOENT':
    case 'ENOTDIR':
    case 'ENODEV':
    case 'ENXIO':
      return new TransferError('source-missing', detail, { cause: error })
    case null:
      return new TransferError('internal', detail, { cause: error })
    default:
      return new TransferError('source-unreadable', detail, { cause: error })
  }
}
