/** The prefix that a typed folder stands for: empty, or ending in one slash. Pure. */
export function prefixOf(folder: string): string {
  const path = folder.trim().replace(/^\/+|\/+$/g, '')
  return path === '' ? '' : `${path}/`
}
