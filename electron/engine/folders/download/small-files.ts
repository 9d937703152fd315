import { join } from 'node:path'
import type { MarkOrigin } from '../../core/deps.ts'
import { builtWorkerUrl } from '../../system/worker-url.ts'
import { WorkerClient, type ShareRequest } from '../worker-client.ts'

/** Where the files of one folder download go. */
export interface SmallFilesData {
  /** Absolute path of the folder, without links in it. */
  readonly root: string
  /** Absolute path of a hidden folder inside it, where files are written before they get their names. */
  readonly scratch: string
  /** Whether an earlier run was cut off: its scratch folder may hold files, and what it wrote last may be damaged. */
  readonly isUnclean: boolean
}

/** A file that is about to be downloaded, as it should be. */
export interface FileCheck {
  /** Below the root. */
  readonly path: string
  readonly sizeBytes: number
  /** Hex; null when the ETag is not an MD5. */
  readonly md5: string | null
  /** Seconds since the epoch; null when unknown. */
  readonly modifiedSeconds: number | null
  /** What an earlier run wrote there. */
  readonly earlier: {
    readonly sizeBytes: number
    readonly modifiedSeconds: number | null
    readonly isThisVersion: boolean
  } | null
}

/**
 * `kept`: from an earlier run, untouched since, and the right version. `equal`: foreign, with the same content. `ours`:
 * from an earlier run and untouched since, but not the right version. `other`: foreign.
 */
export type FileVerdict = 'absent' | 'kept' | 'equal' | 'ours' | 'other'

/** A file in memory that both threads share. */
export interface SmallFile {
  /** Unique in the run. */
  readonly number: number
  /** Below the root; missing folders are created. */
  readonly path: string
  /** The memory that starts with the file's bytes, which must not change until the file is written. */
  readonly memory: number
  readonly sizeBytes: number
  /** Hex MD5 that the bytes must have; null when nothing is proven. */
  readonly md5: string | null
  readonly modifiedSeconds: number | null
  readonly mayReplace: boolean
}

/** A written file that still needs its name. */
export type NamedFile = Pick<SmallFile, 'number' | 'path' | 'mayReplace'>

export type WriteResult =
  /** The file has its name, or waits for it in the scratch folder if that was asked for. */
  | { readonly kind: 'written' }
  /** A file with the same bytes has the name. */
  | { readonly kind: 'equal' }
  /** Something else has the name; `publish` can give it another one. */
  | { readonly kind: 'taken' }
  /** The bytes don't have the MD5; nothing was written. */
  | { readonly kind: 'damaged' }
  | { readonly kind: 'failed'; readonly code: string | null; readonly message: string }

export type SmallFilesRequest = { readonly id: number } & (
  | { readonly kind: 'check'; readonly files: readonly FileCheck[] }
  | { readonly kind: 'write'; readonly files: readonly SmallFile[]; readonly isUnnamed: boolean }
  | ShareRequest
  | { readonly kind: 'publish'; readonly files: readonly NamedFile[] }
  | { readonly kind: 'sync'; readonly paths: readonly string[] }
  /** With the folders to remove if they are empty, the deepest first. */
  | { readonly kind: 'close'; readonly folders: readonly string[] }
)

export type SmallFilesReply = { readonly id: number } & (
  | { readonly kind: 'check'; readonly verdicts: readonly FileVerdict[] }
  | { readonly kind: 'write'; readonly results: readonly WriteResult[] }
  | { readonly kind: 'sync'; readonly lost: readonly string[] }
)

/** Puts small files into a folder, in a thread of its own: never outside it, never half-written under a final name. */
export interface SmallFiles {
  /** Tells what is in the places of these files. */
  check(files: readonly FileCheck[]): Promise<readonly FileVerdict[]>
  /** From now on, memory number `memory` is `buffer`. */
  share(memory: number, buffer: SharedArrayBuffer): void
  /** Writes a file, which is not durable before the next `sync`. */
  write(file: SmallFile): Promise<WriteResult>
  /** Tries another name for a file whose name was taken. */
  publish(number: number, path: string): Promise<WriteResult>
  /** Makes written files durable. @returns the paths of those that were lost; they are gone. */
  sync(paths: readonly string[]): Promise<readonly string[]>
  /** Notes a folder (absolute path) that was made for files. It is removed at the end if it is still empty. */
  made(folder: string): void
  /** Removes the scratch folder and folders without files, and ends the thread, after all earlier requests. */
  close(): Promise<void>
}

/** A group is written when it has this many files, or when its first has waited this long. */
const GROUP_FILES = 16
const GROUP_DELAY_MS = 2

export type OpenSmallFiles = (data: SmallFilesData, markOrigin?: MarkOrigin) => SmallFiles

/** Starts the thread. The scratch folder must exist; after an unclean stop it is emptied. */
export function openSmallFiles(
  data: SmallFilesData,
  markOrigin?: MarkOrigin,
  workerUrl = builtWorkerUrl('small-file-worker'),
): SmallFiles {
  const thread = new WorkerClient<SmallFilesRequest, SmallFilesReply>(workerUrl, data, 'writes files')
  let outbox: { readonly file: SmallFile; readonly resolve: (result: WriteResult) => void }[] = []
  let timer: NodeJS.Timeout | undefined
  const made: string[] = []

  /** A message costs as much as writing some files, so files go in groups. */
  async function writeGroup(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    const group = outbox
    outbox = []
    const files = group.map(({ file }) => file)
    const isUnnamed = markOrigin !== undefined
    const written = await resultsOf(thread.ask({ kind: 'write', files, isUnnamed }), files.length)
    const results = isUnnamed ? await nameMarked(files, written, markOrigin) : written
    for (const [index, { resolve }] of group.entries()) resolve(results[index] ?? LOST_REPLY)
  }

  /** Marks files before they get their names: the system must know first that they come from elsewhere. */
  async function nameMarked(files: readonly SmallFile[], written: readonly WriteResult[], mark: MarkOrigin) {
    const ready = files.filter((_, index) => written[index]?.kind === 'written')
    await mark(ready.map(({ number }) => join(data.scratch, String(number))))
    const named = (await name(ready)).values()
    return written.map((result) => (result.kind === 'written' ? (named.next().value ?? LOST_REPLY) : result))
  }

  function name(written: readonly NamedFile[]): Promise<readonly WriteResult[]> {
    const files = written.map(({ number, path, mayReplace }) => ({ number, path, mayReplace }))
    return resultsOf(thread.ask({ kind: 'publish', files }), files.length)
  }

  return {
    async check(files) {
      const reply = await thread.ask({ kind: 'check', files })
      return reply.kind === 'check' ? reply.verdicts : []
    },
    share: (memory, buffer) => thread.share(memory, buffer),
    write(file) {
      return new Promise((resolve) => {
        outbox.push({ file, resolve })
        if (outbox.length >= GROUP_FILES) void writeGroup()
        else timer ??= setTimeout(() => void writeGroup(), GROUP_DELAY_MS)
      })
    },
    async publish(number, path) {
      return (await name([{ number, path, mayReplace: false }]))[0] ?? LOST_REPLY
    },
    async sync(paths) {
      const reply = await thread.ask({ kind: 'sync', paths })
      return reply.kind === 'sync' ? reply.lost : paths
    },
    made: (folder) => void made.push(folder),
    async close() {
      const folders = [...made].sort((one, other) => other.length - one.length)
      await thread.ask({ kind: 'close', folders }).catch(() => undefined)
      await thread.terminate()
    },
  }
}

const LOST_REPLY: WriteResult = { kind: 'failed', code: null, message: 'The thread that writes files sent no result' }

/** Awaits the results of `count` files; if the thread dies, all of them fail. */
async function resultsOf(asked: Promise<SmallFilesReply>, count: number): Promise<readonly WriteResult[]> {
  try {
    const reply = await asked
    return reply.kind === 'write' ? reply.results : []
  } catch (failure) {
    return new Array<WriteResult>(count).fill({ kind: 'failed', code: null, message: String(failure) })
  }
}
