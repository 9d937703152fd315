// Remembers which links were saved where, because many servers send no checksum that could prove a file again.

import { createHash, randomBytes } from 'node:crypto'
import { lstat, rename, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { MIB } from '../../../shared/limits.ts'
import { parseJson } from '../../../shared/parse-json.ts'
import { nodeFiles, readSmallFile } from '../../engine/index.ts'
import type { ObjectHead } from '../../stores/port/object-store.ts'

const NAME = 'saved-links.json'
/** Older entries are forgotten: their files are downloaded once more, under another name. */
const MOST_ENTRIES = 1000
/** More than that many entries take, even with the longest paths. */
const MAX_FILE_BYTES = 16 * MIB
/** A file that has not changed for this long can be told from its next version by its time alone (milliseconds). */
const RESTED_MS = 60_000

const savedLink = z.object({
  /** A hash of the link, whose query may be secret. */
  link: z.string(),
  path: z.string(),
  etag: z.string().nullable(),
  /** The stamp of the file when it was saved. */
  file: z.string(),
})
type SavedLink = z.infer<typeof savedLink>

/** Notes that a link was saved at `path`. Fails silently: without the note, the file is only downloaded once more. */
export async function noteSaved(stateFolder: string, link: string, path: string, etag: string | null): Promise<void> {
  const file = await stampOf(path).catch(() => null)
  if (file === null) return
  const saved = { link: hashOf(link), path, etag, file }
  const others = (await readAll(stateFolder)).filter((each) => each.path !== path)
  const text = JSON.stringify([saved, ...others].slice(0, MOST_ENTRIES))
  const whole = join(stateFolder, NAME)
  const next = `${whole}.${randomBytes(4).toString('hex')}.new`
  await writeFile(next, text, { mode: 0o600 })
    .then(() => rename(next, whole))
    .catch(() => unlink(next).catch(() => undefined))
}

/**
 * Returns the first of these files that is unchanged since the link was saved there, and of the version that the server
 * has now; null if there is none.
 */
export async function findSaved(
  stateFolder: string,
  link: string,
  paths: readonly string[],
  headOf: () => Promise<ObjectHead | null>,
): Promise<string | null> {
  const hash = hashOf(link)
  for (const saved of await readAll(stateFolder)) {
    if (saved.link !== hash || !paths.includes(saved.path)) continue
    if (saved.file !== (await stampOf(saved.path).catch(() => null))) continue
    const head = await headOf()
    if (head !== null && (await isSameVersion(saved, head))) return saved.path
  }
  return null
}

/** Judges by a strong ETag, or else by the modification time, which the saved file was given. */
async function isSameVersion({ path, etag }: SavedLink, head: ObjectHead): Promise<boolean> {
  const { size, mtimeMs } = await lstat(path)
  if (head.sizeBytes !== size) return false
  if (etag !== null && !etag.startsWith('W/')) return head.etag === etag
  const timeMs = Date.parse(head.lastModified ?? '')
  const isRested = (head.serverTimeMs ?? Number.NaN) - timeMs >= RESTED_MS
  return head.etag === etag && isRested && timeMs === mtimeMs
}

async function readAll(stateFolder: string): Promise<readonly SavedLink[]> {
  try {
    const text = await readSmallFile(nodeFiles, join(stateFolder, NAME), MAX_FILE_BYTES)
    return z.array(savedLink).parse(parseJson(text?.toString() ?? ''))
  } catch {
    return []
  }
}

/** A text that differs after any change of the file. */
async function stampOf(path: string): Promise<string> {
  const { dev, ino, size, mtimeNs, ctimeNs } = await lstat(path, { bigint: true })
  return [dev, ino, size, mtimeNs, ctimeNs].join(' ')
}

function hashOf(link: string): string {
  return createHash('sha256').update(link).digest('hex')
}
