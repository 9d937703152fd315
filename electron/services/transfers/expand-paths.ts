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
  /** Those left out although they were wanted: absolute paths of what can’t be read. */
  readonly unreadable: readonly string[]
}

/** Written by file managers, wanted by nobody. Left out, and said so. */
const LEFT_OUT = new Set(['.DS_Store', 'Thumbs.db', 'desktop.ini'])

/**
 * Walks `paths` (absolute; files and folders). A file gets `prefix` + its name as key, a file in a folder `prefix` + the
 * folder's name + its path below it, with `/` between. Links are not followed below a folder; a chosen link is.
 */
export async function expandPaths(paths: readonly string[], prefix: string): Promise<ExpandedPaths> {
  const found: Found = { files: [], skipped: [], unreadable: [] }
  for (const path of paths) await expandOne(path, `${prefix}${basename(path)}`, found)
  return found
}

interface Found {
  readonly files: ExpandedFile[]
  readonly skipped: string[]
  readonly unreadable: string[]
}

async function expandOne(path: string, key: string, found: Found): Promise<void> {
  const facts = await stat(path).catch(() => null)
  if (facts === null) cantRead(path, found)
  else if (facts.isDirectory()) await expandFolder(path, key, found)
  else if (facts.isFile()) found.files.push({ sourcePath: path, key })
  else found.skipped.push(`${basename(path)} is not a file.`)
}

function cantRead(path: string, found: Found): void {
  found.skipped.push(`${basename(path)} can’t be read.`)
  found.unreadable.push(path)
}

async function expandFolder(folder: string, key: string, found: Found): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => null)
  if (entries === null) {
    cantRead(folder, found)
    return
  }
  for (const entry of entries.sort(byName)) {
    const path = join(folder, entry.name)
    const entryKey = `${key}/${entry.name}`
    if (LEFT_OUT.has(entry.name)) found.skipped.push(`${entry.name} is left out.`)
    else if (entry.isDirectory()) await expandFolder(path, entryKey, found)
    else if (entry.isFile()) found.files.push({ sourcePath: path, key: entryKey })
    else found.skipped.push(`${entry.name} was skipped: it is a link or not a regular file.`)
  }
}

function byName(one: Dirent, other: Dirent): number {
  return one.name < other.name ? -1 : 1
}
