import { constants } from 'node:os'

/** What libuv has no name for. */
const UNNAMED = new Set(['EDQUOT'])

/** How Node tells that a call of the system failed: `errno` and `code` of an error. */
export function errnoFacts(code: string): { readonly errno: number; readonly code: string } {
  const errno = -((constants.errno as Readonly<Record<string, number>>)[code] ?? 0)
  return { errno, code: UNNAMED.has(code) ? `Unknown system error ${String(errno)}` : code }
}
