/**
 * The prefix of a folder that may be typed. The open folder is used unchanged, whatever its name; a typed one is
 * normalized to be empty or end in one slash. `typed` is null while nothing was typed. Pure.
 */
export function prefixOf(open: string, typed: string | null): string {
  if (typed === null) return open
  const path = typed.trim().replace(/^\/+|\/+$/g, '')
  return path === '' ? '' : `${path}/`
}
