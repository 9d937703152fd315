import type { Dirent } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { MAX_KEY_BYTES } from '../shared/limits.ts'

/** A file that is to be uploaded, and the key it gets. */
export interface SelectedFile {
  readonly path: string
  readonly key: string
}

/** Why something that was dropped is not uploaded. */
type SkipReason = 'link' | 'special' | 'unreadable' | 'system' | 'name' | 'empty'

const WORDS: Readonly<Record<SkipReason, readonly [one: string, many: string]>> = {
  link: ['is a link and was left out', 'links were left out'],
  special: ['is no regular file and was left out', 'items that are no regular files were left out'],
  unreadable: ['can’t be read and was left out', 'items that can’t be read were left out'],
  system: ['belongs to the system and was left out', 'system files were left out'],
  name: ['has a name that is too long for the store', 'files have names that are too long for the store'],
  empty: ['is an empty folder', 'empty folders were left out'],
}

const SYSTEM_FILES = new Set(['.DS_Store', 'Thumbs.db', 'desktop.ini'])
/** A folder with more is most likely a mistake, such as a whole disk. */
const MAX_FILES = 200_000
const NAMES_IN_A_SENTENCE = 3

/** The regular files at and below `paths`, in the order they were given. What is left out is told by `skipped`. */
export async function selectUploads(
  paths: readonly string[],
  prefix: string,
): Promise<{ readonly files: readonly SelectedFile[]; readonly skipped: readonly string[] }> {
  const files: SelectedFile[] = []
  const left = new Map<SkipReason, string[]>()
  const skip = (reason: SkipReason, key: string): void => {
    const keys = left.get(reason) ?? []
    keys.push(key)
    left.set(reason, keys)
  }
  let isCut = false

  function addFile(path: string, key: string): void {
    if (SYSTEM_FILES.has(basename(path))) skip('system', key)
    else if (Buffer.byteLength(key) > MAX_KEY_BYTES) skip('name', key)
    else if (files.length < MAX_FILES) files.push({ path, key })
    else isCut = true
  }

  async function addFolder(folder: string, key: string): Promise<void> {
    const entries = await list(folder)
    if (entries === null) return skip('unreadable', key)
    if (entries.length === 0) skip('empty', key)
    for (const entry of entries) {
      if (isCut) return
      const path = join(folder, entry.name)
      const entryKey = `${key}/${entry.name}`
      if (entry.isSymbolicLink()) skip('link', entryKey)
      else if (entry.isDirectory()) await addFolder(path, entryKey)
      else if (entry.isFile()) addFile(path, entryKey)
      else skip('special', entryKey)
    }
  }

  for (const path of paths) {
    const key = prefix + basename(path)
    // What a person names is meant, so a link at the top is followed; links below a folder are not.
    const facts = await stat(path).catch(() => null)
    if (facts === null) skip('unreadable', key)
    else if (facts.isDirectory()) await addFolder(path, key)
    else if (facts.isFile()) addFile(path, key)
    else skip('special', key)
  }
  const cut = isCut ? [`Only the first ${MAX_FILES.toLocaleString('en')} files were added.`] : []
  return { files, skipped: [...[...left].map(([reason, keys]) => sentence(reason, keys)), ...cut] }
}

async function list(folder: string): Promise<readonly Dirent[] | null> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => null)
  return entries?.sort((a, b) => (a.name < b.name ? -1 : 1)) ?? null
}

function sentence(reason: SkipReason, keys: readonly string[]): string {
  const [one, many] = WORDS[reason]
  const names = keys.slice(0, NAMES_IN_A_SENTENCE).map((key) => key.split('/').at(-1))
  if (keys.length === 1) return `${names[0]} ${one}.`
  const more = keys.length > names.length ? ', …' : ''
  return `${keys.length.toLocaleString('en')} ${many} (${names.join(', ')}${more}).`
}
