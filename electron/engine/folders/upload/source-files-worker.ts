/* eslint-disable no-restricted-syntax -- this thread exists to wait for the disk: a call costs a tenth of an awaited one */

/**
 * Entry of the thread that finds and reads the files of a folder upload, built to `out/source-files-worker.js`. Like
 * the hash thread it imports hardly more than Node's own modules, to stay one small file.
 */
import { createHash } from 'node:crypto'
import {
  accessSync,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  statSync,
  type Dirent,
  type Stats,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import type { SkippedFile, SkipReason } from '../../../../shared/transfer/transfer.ts'
import { blockUntilFree } from '../../../errno/descriptors.ts'
import type { PlannedFile } from '../../core/records.ts'
import { isSameFile } from '../../files/hard-links.ts'
import type {
  ReadResult,
  SourceFilesData,
  SourceFilesReply,
  SourceFilesRequest,
  SourceStat,
  SourceRead,
  WalkPage,
} from './source-files.ts'

const { sourcePaths, prefix, maxKeyBytes, ...shared } = workerData as SourceFilesData
const pulse = new Int32Array(shared.pulse)

/** Signals that the file system answered: it may be slow, and is asked a lot before the window hears anything. */
function beat(): void {
  Atomics.add(pulse, 0, 1)
}

const PAGE_FILES = 1000
/** How much is read at a time: as much as a slow share delivers within a second or two. */
const READ_BYTES = 1024 * 1024
/** A page is handed over after this many entries of any kind, which keeps the shown count moving. */
const PAGE_ENTRIES = 4000

/** Files that systems and file managers write, useless elsewhere. In lower case. */
const SYSTEM_FILES = new Set([
  '.ds_store',
  '.fseventsd',
  '.spotlight-v100',
  '.temporaryitems',
  '.trashes',
  '$recycle.bin',
  'desktop.ini',
  'ehthumbs.db',
  'system volume information',
  'thumbs.db',
])
/** What macOS 13 leaves in place of a file that is only in iCloud; later versions fetch the file when it is read. */
const IN_CLOUD = /^\..+\.icloud$/
/** A lone surrogate has no UTF-8 form. The second is what Node puts into a name that is not UTF-8. */
const NO_TEXT = /\p{Surrogate}/u
const NOT_UTF8 = '\ufffd'

/** The dropped roots by their name in keys, and by their name on disk, which plans of earlier versions use. */
const roots = new Map(
  sourcePaths.flatMap((path) => [rootName(path), basename(path)].map((name) => [name, path] as const)),
)
const memories = new Map<number, SharedArrayBuffer>()
const walking = walk()

parentPort?.on('message', (request: SourceFilesRequest) => {
  if (request.kind === 'share') memories.set(request.memory, request.buffer)
  else parentPort?.postMessage(answer(request))
})

function answer(request: Exclude<SourceFilesRequest, { kind: 'share' }>): SourceFilesReply {
  const { id } = request
  switch (request.kind) {
    case 'walk':
      return { id, kind: 'walk', page: walking.next().value ?? null }
    case 'stat':
      return { id, kind: 'stat', stats: request.names.map(statOf) }
    case 'read':
      return { id, kind: 'read', results: request.files.map(read) }
  }
}

function pathOf(name: string): string {
  const cut = name.indexOf('/')
  const root = roots.get(cut < 0 ? name : name.slice(0, cut)) ?? ''
  return cut < 0 ? root : join(root, name.slice(cut + 1))
}

function statOf(name: string): SourceStat | null {
  const found = lstatOrNull(pathOf(name))
  beat()
  return found?.isFile() === true ? { sizeBytes: found.size, modifiedMs: found.mtimeMs } : null
}

/** An entry of a folder that is still to be walked. */
interface Entry {
  readonly name: string
  readonly path: string
  readonly kind: 'file' | 'folder' | 'link' | 'special' | 'system-file'
}

/** Walks everything in key order, which is how services list objects. Never follows a link. */
function* walk(): Generator<WalkPage, undefined> {
  let files: PlannedFile[] = []
  let skipped: SkippedFile[] = []
  let emptyFolders = 0
  let entries = 0
  const waiting: Entry[] = rootEntries((path, reason) => skipped.push({ path, reason })).reverse()
  for (let entry = waiting.pop(); entry !== undefined; entry = waiting.pop()) {
    const { path } = entry
    beat()
    const skip = (reason: SkipReason) => skipped.push({ path, reason })
    entries += 1
    if (SYSTEM_FILES.has(basename(path).toLowerCase())) skip('system-file')
    else if (entry.kind === 'folder') {
      const inside = entriesOf(entry)
      if (inside === null) skip('unreadable')
      else if (inside.length === 0) emptyFolders += 1
      else for (const each of inside.reverse()) waiting.push(each)
    } else if (entry.kind !== 'file') skip(entry.kind)
    else if (IN_CLOUD.test(basename(path))) skip('in-cloud')
    else {
      const found = planned(entry)
      if (typeof found === 'string') skip(found)
      else files.push(found)
    }
    if (files.length < PAGE_FILES && entries < PAGE_ENTRIES) continue
    yield { files, skipped, emptyFolders }
    files = []
    skipped = []
    emptyFolders = entries = 0
  }
  yield { files, skipped, emptyFolders }
}

/** The entries that were dropped. A dropped link counts as what it leads to. */
function rootEntries(skip: (path: string, reason: SkipReason) => void): Entry[] {
  const found: Entry[] = []
  for (const path of sourcePaths) {
    try {
      const name = rootName(path)
      const stats = statSync(path)
      found.push({ name, path, kind: stats.isDirectory() ? 'folder' : stats.isFile() ? 'file' : 'special' })
    } catch {
      skip(path, 'unreadable')
    }
  }
  return inKeyOrder(found)
}

function entriesOf({ name, path }: Entry): Entry[] | null {
  let found: Dirent[]
  try {
    found = blockUntilFree(() => readdirSync(path, { withFileTypes: true }))
  } catch {
    return null
  }
  const names = new Set(found.map((entry) => entry.name))
  return inKeyOrder(
    found.map((entry) => {
      beat()
      const inside = join(path, entry.name)
      const kind = isAppleDouble(entry.name, names) ? 'system-file' : kindOf(entry, inside)
      return { name: `${name}/${composed(entry.name, path, names)}`, path: inside, kind }
    }),
  )
}

/** Whether macOS keeps in this file what the volume can't store with the file beside it (AppleDouble, RFC 1740). */
function isAppleDouble(name: string, names: ReadonlySet<string>): boolean {
  return name.startsWith('._') && names.has(name.slice(2))
}

/**
 * A name in composed form (NFC), as other systems write it, if the volume takes both forms for the same name, as macOS
 * volumes do; else unchanged. Like `composedName`, without a promise for each file. `others` are listed beside it.
 */
function composed(name: string, folder: string, others: ReadonlySet<string>): string {
  const other = name.normalize('NFC')
  if (other === name || others.has(other)) return name
  const [one, two] = [name, other].map((each) => lstatOrNull(join(folder, each)))
  return isSameFile(one, two) ? other : name
}

function rootName(path: string): string {
  return composed(basename(path), dirname(path), new Set())
}

function kindOf(entry: Dirent, path: string): Entry['kind'] {
  if (entry.isFile()) return 'file'
  if (entry.isDirectory()) return 'folder'
  if (!entry.isSymbolicLink()) return 'special'
  // Windows lists every reparse point as a link, even files in a cloud folder and deduplicated ones.
  const found = process.platform === 'win32' ? lstatOrNull(path) : null
  return found?.isFile() === true ? 'file' : found?.isDirectory() === true ? 'folder' : 'link'
}

/** Sorts by the UTF-8 bytes of the keys. Keys inside a folder start with its name and a slash. */
function inKeyOrder(entries: Entry[]): Entry[] {
  const keyed = entries.map((entry) => ({ entry, key: entry.kind === 'folder' ? `${entry.name}/` : entry.name }))
  return keyed.sort((one, other) => compareBytes(one.key, other.key)).map(({ entry }) => entry)
}

/** Compares as UTF-8. UTF-16 has the same order, except for surrogates and what lies above them. */
function compareBytes(one: string, other: string): number {
  if (one === other) return 0
  const isPlain = !/[\ud800-\uffff]/.test(one + other)
  if (isPlain) return one < other ? -1 : 1
  return Buffer.compare(Buffer.from(one), Buffer.from(other))
}

function planned({ name, path }: Entry): PlannedFile | SkipReason {
  if (NO_TEXT.test(name) || Buffer.byteLength(prefix) + Buffer.byteLength(name) > maxKeyBytes) return 'name'
  const found = statOrNull(path)
  if (found === null) return name.includes(NOT_UTF8) ? 'name' : 'unreadable'
  return { name, sizeBytes: found.size, modifiedMs: found.mtimeMs }
}

/** Only the dropped roots may be symbolic links; links below them are skipped. */
function statOrNull(path: string): Stats | null {
  try {
    accessSync(path, constants.R_OK)
    return statSync(path)
  } catch {
    return null
  }
}

function lstatOrNull(path: string): Stats | null {
  try {
    return sourcePaths.includes(path) ? statSync(path) : lstatSync(path)
  } catch {
    return null
  }
}

/** Reads a file into its memory, and says which version it read, which must be the same before and after. */
function read({ name, memory }: SourceRead): ReadResult {
  const buffer = memories.get(memory) ?? new SharedArrayBuffer(0)
  try {
    const isRoot = !name.includes('/')
    // What was a file when it was found may be a link by now, and links are not followed.
    const flags = constants.O_RDONLY | (isRoot ? 0 : (constants.O_NOFOLLOW ?? 0)) | (constants.O_NONBLOCK ?? 0)
    const handle = blockUntilFree(() => openSync(pathOf(name), flags))
    try {
      return readVersion(handle, buffer)
    } finally {
      closeSync(handle)
    }
  } catch (failure) {
    const code = failure instanceof Error && 'code' in failure ? String(failure.code) : null
    return { kind: 'failed', code, message: failure instanceof Error ? failure.message : String(failure) }
  }
}

function readVersion(handle: number, buffer: SharedArrayBuffer): ReadResult {
  const before = fstatSync(handle)
  const sizeBytes = before.size
  if (!before.isFile()) return { kind: 'failed', code: 'EINVAL', message: 'not a regular file' }
  if (sizeBytes > buffer.byteLength) return { kind: 'larger', sizeBytes }
  const bytes = new Uint8Array(buffer, 0, sizeBytes)
  for (let at = 0; at < sizeBytes;) {
    beat()
    const count = readSync(handle, bytes, at, Math.min(READ_BYTES, sizeBytes - at), at)
    if (count === 0) return { kind: 'changed' }
    at += count
  }
  // Files that produce their content when read, as in /proc and on some network drives, claim to be empty.
  if (sizeBytes === 0 && readSync(handle, new Uint8Array(1), 0, 1, 0) > 0) return { kind: 'changed' }
  const md5 = createHash('md5').update(bytes).digest('hex')
  const after = fstatSync(handle)
  const isSame = after.size === sizeBytes && after.mtimeMs === before.mtimeMs && after.ctimeMs === before.ctimeMs
  return isSame ? { kind: 'read', sizeBytes, modifiedMs: before.mtimeMs, md5 } : { kind: 'changed' }
}
