/**
 * Where uploads go. The folder that is open is left as it is, whatever its name; what is typed stands for a prefix that is
 * empty, or ends in one slash. `typed`: null while nothing was. Pure.
 */
export function prefixOf(open: string, typed: string | null): string {
  if (typed === null) return open
  const path = typed.trim().replace(/^\/+|\/+$/g, '')
  return path === '' ? '' : `${path}/`
}
