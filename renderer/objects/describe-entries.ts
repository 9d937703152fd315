import type { Entry } from '../state/objects/listing.ts'
import { plural } from '../words/format.ts'

/** "2 folders, 3 files". Folders come first, so not all lines have to be counted. Pure. */
export function describeEntries(entries: readonly Entry[]): string {
  const firstObject = entries.findIndex(({ kind }) => kind === 'object')
  const folders = firstObject < 0 ? entries.length : firstObject
  if (entries[0]?.kind === 'bucket') return plural(folders, 'bucket')
  if (firstObject < 0) return plural(folders, 'folder')
  const files = plural(entries.length - folders, 'file')
  return folders === 0 ? files : `${plural(folders, 'folder')}, ${files}`
}
