// What an error of the file system means to a transfer.

import type { TransferErrorInfo } from '../../../shared/transfer/transfer-error.ts'
import { errnoCode, isNoSpace, isReadOnly } from '../../errno/errno.ts'
import { TransferError } from '../core/transfer-error.ts'

/** Turns a failure of the target's file system into what a person reads. Returns failures that are waited out as is. */
export function targetFailure(failure: unknown, path: string): unknown {
  const code = errnoCode(failure)
  if (code === null || failure instanceof TransferError || isNoSpace(failure) || isReadOnly(failure)) return failure
  const detail = `${path}: ${failure instanceof Error ? failure.message : code}`
  const isNameRefused = code === 'ENAMETOOLONG' || code === 'EILSEQ' || (code === 'EINVAL' && isNaming(failure))
  if (code === 'EFBIG') return new TransferError('file-too-large', detail, { cause: failure })
  if (isNameRefused) return new TransferError('name-not-storable', detail, { cause: failure })
  return new TransferError('target-unwritable', detail, { cause: failure, ...guardOf(code) })
}

/**
 * Which system's protection of folders may be behind a refusal. macOS answers EPERM when its privacy settings refuse,
 * EACCES when permissions do; Windows gives the same answer for both, which libuv calls EPERM or EACCES.
 */
export function guardOf(code: string, platform: NodeJS.Platform = process.platform): Pick<TransferErrorInfo, 'guard'> {
  if (platform === 'darwin') return code === 'EPERM' ? { guard: 'macos' } : {}
  return platform === 'win32' && (code === 'EPERM' || code === 'EACCES') ? { guard: 'windows' } : {}
}

/** Errors for a drive or share that is not there now, or a file that was moved away. UNKNOWN is libuv's on Windows. */
const AWAY_CODES = new Set(
  (
    'ENOENT ENOTDIR ENODEV ENXIO EIO ENOTCONN ESTALE ENOMEDIUM EHOSTDOWN EHOSTUNREACH ' +
    'ENETDOWN ENETUNREACH ETIMEDOUT ECONNRESET UNKNOWN'
  ).split(' '),
)

/** Whether a file to be read is not there now, but may come back with its drive. */
export function isAway(code: string): boolean {
  return AWAY_CODES.has(code)
}

/** FAT and NTFS refuse names that they can't store with EINVAL. */
function isNaming(failure: unknown): boolean {
  const syscall = (failure as NodeJS.ErrnoException).syscall ?? ''
  return ['open', 'mkdir', 'link', 'rename'].includes(syscall)
}

/** Runs `action`, and throws its file system errors as `targetFailure` turns them. */
export async function onTarget<Value>(path: string, action: () => Promise<Value>): Promise<Value> {
  try {
    return await action()
  } catch (failure) {
    throw targetFailure(failure, path)
  }
}

/** Returns the value, or null when the file system says that nothing is there (ENOENT). */
export async function orNull<Value>(promise: Promise<Value>): Promise<Value | null> {
  try {
    return await promise
  } catch (failure) {
    if (errnoCode(failure) === 'ENOENT') return null
    throw failure
  }
}
