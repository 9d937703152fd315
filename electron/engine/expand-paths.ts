import type { Dirent } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'

/** A file to upload and the key that it gets. */
export interface ExpandedFile {
  readonly sourcePath: string
  readonly key: string
}

/** What the files and folders that a person chose come to. */
export interface ExpandedPaths {
  readonly files: readonly ExpandedFile[]
  /** What is left out, one sentence each. */
  readonly skipped: readonly string[]
}

/** Written by file managers, wanted by nobody. Left out, and said so. */
const LEFT_OUT = new Set(['.DS_Store', 'Thumbs.db', 'desktop.ini'])

/**
 * Walks `paths` (absolute; files and folders). A file gets `prefix` + its name as key, a file in a folder `prefix` + the
 * folder's name + its path below it, with `/` between. Links are not followed below a folder; a chosen link is.
 */
export async function expandPaths(paths: readonly string[], prefix: string): Promise<ExpandedPaths> {
  const files: ExpandedFile[] = []
  const skipped: string[] = []
  for (const path of paths) await expandOne(path, `${prefix}${basename(path)}`, files, skipped)
  return { files, skipped }
}

async function expandOne(path: string, key: string, files: ExpandedFile[], skipped: string[]): Promise<void> {
  const facts = await stat(path).catch(() => null)
  if (facts === null) skipped.push(`${basename(path)} can’t be read.`)
  else if (facts.isDirectory()) await expandFolder(path, key, files, skipped)
  else if (facts.isFile()) files.push({ sourcePath: path, key })
  else skipped.push(`${basename(path)} is not a file.`)
}

async function expandFolder(folder: string, key: string, files: ExpandedFile[], skipped: string[]): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => null)
  if (entries === null) {
    skipped.push(`${basename(folder)} can’t be read.`)
    return
  }
  for (const entry of entries.sort(byName)) {
    const path = join(folder, entry.name)
    const entryKey = `${key}/${entry.name}`
    if (LEFT_OUT.has(entry.name)) skipped.push(`${entry.name} is left out.`)
    else if (entry.isDirectory()) await expandFolder(path, entryKey, files, skipped)
    else if (entry.isFile()) files.push({ sourcePath: path, key: entryKey })
    else skipped.push(`${entry.name} is a link or no file.`)
  }
}

function byName(one: Dirent, other: Dirent): number {
  return one.name < other.name ? -1 : 1
}
