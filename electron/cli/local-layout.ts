import { nameKey, safeRelativePath, uniqueName } from '../engine/index.ts'

/**
 * Gives each key of a listing a relative path of its own, those in `taken` being gone. Names that a file system could
 * take for the same get a number, and so does a folder where a file has its name (`foo` and `foo/bar`): a listing
 * ascends, so the file always comes first.
 */
export function createLayout(taken: readonly string[]): (key: string) => string {
  const files = new Set(taken.map(nameKey))
  const folders = new Set<string>()
  return (key) => {
    const segments = safeRelativePath(key).split('/')
    let path = ''
    for (const [index, segment] of segments.entries()) {
      const above = nameKey(path)
      const isFile = index === segments.length - 1
      const isTaken = (name: string): boolean => files.has(above + name) || (isFile && folders.has(above + name))
      path += uniqueName(segment, { has: isTaken })
      ;(isFile ? files : folders).add(nameKey(path))
      if (!isFile) path += '/'
    }
    return path
  }
}
