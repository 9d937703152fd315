import { constants } from 'node:os'

/** The `code` of a Node system error, or null. */
export function errnoCode(failure: unknown): string | null {
  if (!(failure instanceof Error && 'code' in failure && typeof failure.code === 'string')) return null
  return isQuotaUsedUp(failure) ? 'EDQUOT' : failure.code
}

/** Whether the system failed, as opposed to a service or this program. */
export function isSystemError(failure: unknown): boolean {
  return /^E[A-Z0-9]+$/.test(errnoCode(failure) ?? '')
}

/** Node has no name for EDQUOT: its `code` is "Unknown system error -122" on Linux, with another number elsewhere. */
function isQuotaUsedUp(failure: Error): boolean {
  return 'errno' in failure && failure.errno === -constants.errno.EDQUOT
}

const SPACE_CODES = new Set(['ENOSPC', 'EDQUOT'])

/** Whether the volume, or the person's share of it, is full. */
export function isNoSpace(failure: unknown): boolean {
  return SPACE_CODES.has(errnoCode(failure) ?? '')
}

/** Whether the drive could not read the bytes: a sector is worn, or the drive or its connection fails. */
export function isUnreadable(failure: unknown): boolean {
  return errnoCode(failure) === 'EIO'
}

/** Whether the volume takes no writes now, as after an error of its own or with its write-protect switch on. */
export function isReadOnly(failure: unknown): boolean {
  return errnoCode(failure) === 'EROFS'
}
