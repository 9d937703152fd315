import { nameKey, safeFileName, uniqueName, type NameRules } from '../files/safe-name.ts'

/** Where the objects of a listing go. Paths are relative to the target folder, separated by `/`. */
export interface Layout {
  /** The path of the file for a key. For a key that ends in `/`, that is a file inside the folder of that name. */
  fileOf(key: string): string
  /** The path of the folder that a key ending in `/` stands for; empty for the target folder itself. */
  folderOf(key: string): string
}

/**
 * Gives each key of a listing its own relative path, by the rules of the folder; paths in `taken` are not available.
 * Names that a file system could take for the same get a number. So does a folder whose name a file has (`foo` and
 * `foo/bar`): keys ascend in a listing, so the file always comes first.
 */
export function createLayout(taken: Iterable<string>, rules: NameRules): Layout {
  const rulesBelow = { ...rules, isHome: false }
  const nameOf = (segment: string, folder: string) => safeFileName(segment, folder === '' ? rules : rulesBelow)
  const files = new Set<string>()
  const folders = new Set<string>()
  for (const path of taken) {
    const pathKey = nameKey(path)
    files.add(pathKey)
    for (let at = pathKey.lastIndexOf('/'); at > 0; at = pathKey.lastIndexOf('/', at - 1))
      folders.add(pathKey.slice(0, at))
  }
  /** The folder of the previous key, because a listing goes folder by folder. */
  let last = { keyFolder: '', path: '', pathKey: '' }

  function folderOf(keyFolder: string): typeof last {
    if (keyFolder === last.keyFolder) return last
    if (keyFolder === '') return (last = { keyFolder, path: '', pathKey: '' })
    let path = ''
    let pathKey = ''
    for (const segment of keyFolder.slice(0, -1).split('/')) {
      const name = uniqueName(nameOf(segment, path), { has: (key) => files.has(pathKey + key) })
      path += `${name}/`
      pathKey += nameKey(name)
      folders.add(pathKey)
      pathKey += '/'
    }
    last = { keyFolder, path, pathKey }
    return last
  }

  return {
    fileOf(key) {
      const cut = key.lastIndexOf('/') + 1
      const folder = folderOf(key.slice(0, cut))
      const isTaken = (name: string): boolean => files.has(folder.pathKey + name) || folders.has(folder.pathKey + name)
      const name = uniqueName(nameOf(key.slice(cut), folder.path), { has: isTaken })
      files.add(folder.pathKey + nameKey(name))
      return folder.path + name
    },
    folderOf: (key) => folderOf(key).path.slice(0, -1),
  }
}
