import { nameKey, safeFileName, uniqueName, type NameRules } from '../files/safe-name.ts'

/** Where the objects of a listing go. Paths are below the folder that is downloaded to, separated by `/`. */
export interface Layout {
  /** Of the file for a key. Where the key ends in `/`, a file inside the folder of that name. */
  fileOf(key: string): string
  /** Of the folder that a key ending in `/` stands for; empty for the folder itself. */
  folderOf(key: string): string
}

/**
 * Gives each key of a listing a relative path of its own by the rules of the folder, those in `taken` being gone. Names
 * that a file system could take for the same get a number, and so does a folder where a file has its name (`foo` and
 * `foo/bar`): a listing ascends, so the file always comes first.
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
  /** Of the key before, since a listing goes folder by folder. */
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
