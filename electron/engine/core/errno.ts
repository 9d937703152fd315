import { constants } from 'node:os'

/** `code` of a Node system error, or null. */
export function errnoCode(failure: unknown): string | null {
  if (!(failure instanceof Error && 'code' in failure && typeof failure.code === 'string')) return null
  return isQuotaUsedUp(failure) ? 'EDQUOT' : failure.code
}

/** Node has no word for it: the `code` is "Unknown system error -122" on Linux, with another number elsewhere. */
function isQuotaUsedUp(failure: Error): boolean {
  return 'errno' in failure && failure.errno === -constants.errno.EDQUOT
}
