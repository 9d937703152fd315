/* eslint-disable no-restricted-syntax -- this thread exists to wait for the disk: a call costs a tenth of an awaited one */

/**
 * Entry of the thread that puts small files in place, built to `out/small-file-worker.js`. Like the hash thread it
 * imports hardly more than Node's own modules, to stay one small file.
 */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  closeSync,
  futimesSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  unlinkSync,
  writeSync,
  type Stats,
} from 'node:fs'
import { open, unlink } from 'node:fs/promises'
import { release } from 'node:os'
import { dirname, join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { setTimeout as delay } from 'node:timers/promises'
import { lacksDescriptor, onceFree } from '../../../errno/descriptors.ts'
import { errnoCode } from '../../../errno/errno.ts'
import type { Patience } from '../../files/busy-files.ts'
import { nameFile, type NamingCalls } from './name-file.ts'
import { syncFiles, type SyncCalls } from './sync-files.ts'
import type {
  FileCheck,
  FileVerdict,
  NamedFile,
  SmallFile,
  SmallFilesData,
  SmallFilesReply,
  SmallFilesRequest,
  WriteResult,
} from './small-files.ts'

const { root, scratch, isUnclean } = workerData as SmallFilesData

const WRITTEN: WriteResult = { kind: 'written' }

const PATIENCE: Patience = { monotonicMs: () => performance.now(), sleep: delay }

const CALLS: NamingCalls = {
  link: linkSync,
  create: (path) => closeSync(openSync(path, 'wx')),
  rename: renameSync,
  unlink: unlinkSync,
  areEqual,
}

const SYNCING: SyncCalls = { platform: process.platform, kernel: release(), syncVolume, syncOne, unlink }

// The files in it never got their names.
if (isUnclean) for (const name of readdirSync(scratch)) rmSync(join(scratch, name), { maxRetries: 5 })

/** Requests that are not answered yet; a busy file keeps one waiting. */
const underWay = new Set<Promise<void>>()

/** Folders that this thread made and that no file has gone into yet, in order. */
const unused = new Set<string>()

const memories = new Map<number, SharedArrayBuffer>()

parentPort?.on('message', (request: SmallFilesRequest) => {
  if (request.kind === 'share') {
    memories.set(request.memory, request.buffer)
    return
  }
  const earlier = request.kind === 'close' ? Promise.allSettled(underWay) : null
  const answered = (earlier === null ? answer(request) : earlier.then(() => answer(request))).then((reply) => {
    underWay.delete(answered)
    parentPort?.postMessage(reply)
  })
  underWay.add(answered)
})

async function answer(request: Exclude<SmallFilesRequest, { kind: 'share' }>): Promise<SmallFilesReply> {
  const { id } = request
  switch (request.kind) {
    case 'check':
      return {
        id,
        kind: 'check',
        verdicts: await Promise.all(request.files.map((file) => onceFree(() => check(file)))),
      }
    case 'write': {
      // Folders are checked anew for each group: a link may have replaced one meanwhile.
      const folders = new Set<string>()
      const writeOne = async (file: SmallFile) =>
        (await onceFree(() => write(file, folders))) ?? (request.isUnnamed ? WRITTEN : publish(file))
      return { id, kind: 'write', results: await resultsOf(request.files, writeOne) }
    }
    case 'publish': {
      const folders = new Set<string>()
      const publishOne = async (file: NamedFile) => {
        requireFolders(dirname(file.path), folders)
        return publish(file)
      }
      return { id, kind: 'write', results: await resultsOf(request.files, publishOne) }
    }
    case 'sync':
      return { id, kind: 'sync', lost: await syncFiles(SYNCING, root, request.paths) }
    case 'close':
      rmSync(scratch, { recursive: true, force: true, maxRetries: 5 })
      removeEmpty([...[...unused].reverse(), ...request.folders])
      return { id, kind: 'sync', lost: [] }
  }
}

function check({ path, sizeBytes, md5, modifiedSeconds, earlier }: FileCheck): FileVerdict {
  const found = foundAt(path)
  if (found === undefined) return 'absent'
  if (!found.isFile()) return 'other'
  if (earlier !== null && earlier.sizeBytes === found.size && hasTime(found, earlier.modifiedSeconds)) {
    return earlier.isThisVersion ? 'kept' : 'ours'
  }
  if (md5 !== null && found.size === sizeBytes && md5OrNull(join(root, path)) === md5) return 'equal'
  // The file was written shortly before the run was cut off, and may be damaged if the power was cut, too.
  return isUnclean && hasTime(found, modifiedSeconds) ? 'ours' : 'other'
}

/** Whoever writes to a place that can't be looked at learns why, and fails alone. */
function foundAt(path: string): Stats | undefined {
  try {
    return lstatSync(join(root, path), { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

/** Hex; null for a file that can't be read, which is not known to be equal to anything. */
function md5OrNull(path: string): string | null {
  try {
    return md5Of(readFileSync(path))
  } catch (failure) {
    if (lacksDescriptor(failure)) throw failure
    return null
  }
}

/** Whether a file has this time, seconds since the epoch. FAT rounds down to even seconds. */
function hasTime(file: Stats, seconds: number | null): boolean {
  const foundSeconds = Math.floor(file.mtimeMs / 1000)
  return seconds !== null && (foundSeconds === seconds || foundSeconds === seconds - 1)
}

/** Writes a file to the scratch folder. Returns null, or why it was not written. */
function write(file: SmallFile, folders: Set<string>): WriteResult | null {
  const bytes = new Uint8Array(memories.get(file.memory) ?? new SharedArrayBuffer(0), 0, file.sizeBytes)
  if (file.md5 !== null && md5Of(bytes) !== file.md5) return { kind: 'damaged' }
  requireFolders(dirname(file.path), folders)
  const temp = tempOf(file.number)
  const handle = openSync(temp, 'wx')
  try {
    for (let at = 0; at < bytes.length;) at += writeSync(handle, bytes, at)
    if (file.modifiedSeconds !== null) futimesSync(handle, file.modifiedSeconds, file.modifiedSeconds)
  } catch (failure) {
    // An open file can't be deleted on Windows.
    closeSync(handle)
    unlinkSync(temp)
    throw failure
  }
  closeSync(handle)
  return null
}

/** Gives a written file its name. If the name is taken, the file stays where it is. */
async function publish({ number, path, mayReplace }: NamedFile): Promise<WriteResult> {
  const target = join(root, path)
  const result = await onceFree(() => nameFile(CALLS, PATIENCE, { temp: tempOf(number), target, mayReplace }))
  if (result.kind === 'written') noteUsed(target)
  return result
}

/** The folders around a file are not tried at the end: on a share of many folders that would take minutes. */
function noteUsed(path: string): void {
  let folder = dirname(path)
  while (unused.delete(folder)) folder = dirname(folder)
}

/** Makes the folders of a path below the root; throws where a link or a file is in the way. */
function requireFolders(path: string, known: Set<string>): void {
  if (path === '.' || known.has(path)) return
  requireFolders(dirname(path), known)
  const folder = join(root, path)
  const found = lstatSync(folder, { throwIfNoEntry: false })
  if (found === undefined) makeFolder(folder)
  else if (!found.isDirectory()) throw Object.assign(new Error(`${folder} is not a folder`), { code: 'ENOTDIR' })
  known.add(path)
}

/** Makes a folder, unless another process is just making it, too. */
function makeFolder(folder: string): void {
  try {
    mkdirSync(folder)
    unused.add(folder)
  } catch (failure) {
    if (errnoCode(failure) !== 'EEXIST' || !lstatSync(folder).isDirectory()) throw failure
  }
}

/** Removes those of the folders that are empty. */
function removeEmpty(folders: readonly string[]): void {
  for (const folder of folders) {
    try {
      rmdirSync(folder)
    } catch {
      // Something is in it, or it is gone.
    }
  }
}

function areEqual(one: string, other: string): boolean {
  const [a, b] = [lstatSync(one), lstatSync(other, { throwIfNoEntry: false })]
  if (!a.isFile() || b?.isFile() !== true || a.size !== b.size) return false
  try {
    return readFileSync(one).equals(readFileSync(other))
  } catch (failure) {
    if (lacksDescriptor(failure)) throw failure
    // What can't be read is not known to be equal.
    return false
  }
}

/** Flushes the volume once (coreutils' `sync -f` is syncfs): a flush for each file is a thousand times as expensive. */
function syncVolume(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    execFile('sync', ['-f', '--', path], (failure) => {
      resolve(failure === null)
    })
  })
}

async function syncOne(path: string, flags: string): Promise<boolean> {
  try {
    const handle = await onceFree(() => open(path, flags))
    try {
      await handle.sync()
    } finally {
      await handle.close()
    }
    return true
  } catch {
    return false
  }
}

/** Tries all files at once; busy ones wait together. */
function resultsOf<File>(
  files: readonly File[],
  action: (file: File) => Promise<WriteResult>,
): Promise<readonly WriteResult[]> {
  return Promise.all(files.map((file) => action(file).catch(failed)))
}

function failed(failure: unknown): WriteResult {
  return {
    kind: 'failed',
    code: errnoCode(failure),
    message: failure instanceof Error ? failure.message : String(failure),
  }
}

function tempOf(number: number): string {
  return join(scratch, String(number))
}

function md5Of(bytes: Uint8Array): string {
  return createHash('md5').update(bytes).digest('hex')
}
