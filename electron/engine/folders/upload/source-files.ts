import { MAX_KEY_BYTES } from '../../../../shared/limits.ts'
import type { SkippedFile } from '../../../../shared/transfer/transfer.ts'
import type { PlannedFile } from '../../core/records.ts'
import { builtWorkerUrl } from '../../system/worker-url.ts'
import { WorkerClient, type ShareRequest } from '../worker-client.ts'

/** What to upload, and below which prefix. */
export interface SourceFilesData {
  /** Absolute paths of files and folders; no two have the same name. */
  readonly sourcePaths: readonly string[]
  readonly prefix: string
  readonly maxKeyBytes: number
  /** An Int32 that the thread increments with each answer of the file system. */
  readonly pulse: SharedArrayBuffer
}

/** A part of what a walk found, in the order of the keys (UTF-8 bytes). */
export interface WalkPage {
  readonly files: readonly PlannedFile[]
  readonly skipped: readonly SkippedFile[]
  readonly emptyFolders: number
}

/** A file as it is now. */
export interface SourceStat {
  readonly sizeBytes: number
  readonly modifiedMs: number
}

/** A file to read into the memory with this number, from the memory's beginning. */
export interface SourceRead {
  readonly name: string
  readonly memory: number
}

export type ReadResult =
  | ({ readonly kind: 'read'; readonly md5: string } & SourceStat)
  /** The memory is too small for the file. */
  | { readonly kind: 'larger'; readonly sizeBytes: number }
  /** The file changed while it was read. */
  | { readonly kind: 'changed' }
  | { readonly kind: 'failed'; readonly code: string | null; readonly message: string }

export type SourceFilesRequest = { readonly id: number } & (
  | { readonly kind: 'walk' }
  | { readonly kind: 'stat'; readonly names: readonly string[] }
  | { readonly kind: 'read'; readonly files: readonly SourceRead[] }
  | ShareRequest
)

export type SourceFilesReply = { readonly id: number } & (
  | { readonly kind: 'walk'; readonly page: WalkPage | null }
  | { readonly kind: 'stat'; readonly stats: readonly (SourceStat | null)[] }
  | { readonly kind: 'read'; readonly results: readonly ReadResult[] }
)

/** Finds and reads the files of a folder upload, in a thread of its own. */
export interface SourceFiles {
  /** Finds everything below what was dropped, page by page. Call it once. */
  walk(): AsyncGenerator<WalkPage, void>
  /** What has these names now; null where there is no file. */
  stat(names: readonly string[]): Promise<readonly (SourceStat | null)[]>
  /** From now on, memory number `memory` is `buffer`. */
  share(memory: number, buffer: SharedArrayBuffer): void
  /** Reads a whole file and hashes it. Its memory must not be touched meanwhile. */
  read(file: SourceRead): Promise<ReadResult>
  /** How often the file system has answered, as an integer that wraps around. */
  pulse(): number
  /** Ends the thread; its open requests fail. A thread that hangs in the file system ends once that answers. */
  close(): Promise<void>
}

export type OpenSourceFiles = (sourcePaths: readonly string[], prefix: string) => SourceFiles

/** Starts the thread. */
export function openSourceFiles(
  sourcePaths: readonly string[],
  prefix: string,
  workerUrl = builtWorkerUrl('source-files-worker'),
): SourceFiles {
  const pulse = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  const workerData: SourceFilesData = { sourcePaths, prefix, maxKeyBytes: MAX_KEY_BYTES, pulse: pulse.buffer }
  const thread = new WorkerClient<SourceFilesRequest, SourceFilesReply>(workerUrl, workerData, 'reads files')
  let outbox: WaitingRead[] = []
  let isReading = false

  /** A message costs as much as reading a small file, so requests that come while a group is read form the next one. */
  async function readGroups(): Promise<void> {
    isReading = true
    while (outbox.length > 0) {
      const group = outbox.slice(0, GROUP_FILES)
      outbox = outbox.slice(GROUP_FILES)
      try {
        const reply = await thread.ask({ kind: 'read', files: group.map(({ file }) => file) })
        const results = reply.kind === 'read' ? reply.results : []
        for (const [index, { resolve }] of group.entries()) resolve(results[index] ?? NO_REPLY)
      } catch (failure) {
        for (const { reject } of group) reject(failure)
      }
    }
    isReading = false
  }

  return {
    async *walk() {
      for (;;) {
        const reply = await thread.ask({ kind: 'walk' })
        if (reply.kind !== 'walk' || reply.page === null) return
        yield reply.page
      }
    },
    async stat(names) {
      const reply = await thread.ask({ kind: 'stat', names })
      return reply.kind === 'stat' ? reply.stats : []
    },
    share: (memory, buffer) => thread.share(memory, buffer),
    read(file) {
      return new Promise((resolve, reject) => {
        outbox.push({ file, resolve, reject })
        if (!isReading) void readGroups()
      })
    },
    pulse: () => Atomics.load(pulse, 0),
    async close() {
      const closed = thread.terminate()
      if (!thread.isAsked) await closed
    },
  }
}

interface WaitingRead {
  readonly file: SourceRead
  readonly resolve: (result: ReadResult) => void
  readonly reject: (reason: unknown) => void
}

/** In a larger group the first files would wait too long for the last. */
const GROUP_FILES = 32

const NO_REPLY: ReadResult = { kind: 'failed', code: null, message: 'The thread that reads files sent no result' }
