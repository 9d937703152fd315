import { SINGLE_PUT_MAX_BYTES } from '../../../../shared/limits.ts'
import type { MemoryBudget } from '../../async/memory-budget.ts'
import type { WorkQueue } from '../../async/work-queue.ts'
import { TransferError } from '../../core/transfer-error.ts'
import { guardOf, isAway } from '../../files/file-errors.ts'
import { Reach } from '../../retry/reach.ts'
import { proofByEtag } from '../../integrity/etag-trust.ts'
import { Memory } from '../shared-memory.ts'
import { hasMd5, resolveFolderConflict } from './conflict.ts'
import type { UploadFolderRun, WantedFile } from './folder-run.ts'
import { putFile } from './put-file.ts'
import type { ReadResult } from './source-files.ts'

/** How often a file that changes meanwhile is read, and how long to wait in between (milliseconds). */
const MAX_READS = 3
const UNREST_MS = 500

type ReadFile = Extract<ReadResult, { kind: 'read' }>

/**
 * Sends small files, one after the other, until there are no more. Each is read and hashed by the thread, sent from
 * memory in one PutObject and proven by its ETag. Files that are too large go to `large`.
 */
export async function sendSmall(
  run: UploadFolderRun,
  wanted: WorkQueue<WantedFile>,
  large: WorkQueue<WantedFile>,
  budget: MemoryBudget,
  slot: number,
): Promise<void> {
  const memory = new Memory(slot, run.sources)
  for (;;) {
    const file = await wanted.take()
    if (file === null) return
    const grown = file.sizeBytes > SINGLE_PUT_MAX_BYTES ? file : await sendWithin(run, file, budget, memory)
    if (grown === null) continue
    if (grown.sizeBytes > SINGLE_PUT_MAX_BYTES) large.push(grown)
    // The file needs more memory than was reserved, so it waits for its turn again, in this slot.
    else for (let next: WantedFile | null = grown; next !== null;) next = await sendWithin(run, next, budget, memory)
  }
}

/** @returns the file with its new size if it has grown; null when it is done or has failed. */
async function sendWithin(
  run: UploadFolderRun,
  file: WantedFile,
  budget: MemoryBudget,
  memory: Memory,
): Promise<WantedFile | null> {
  const { signal } = run.context
  await budget.take(file.sizeBytes, signal)
  try {
    signal.throwIfAborted()
    return await sendOne(run, file, memory)
  } finally {
    budget.give(file.sizeBytes)
  }
}

async function sendOne(run: UploadFolderRun, file: WantedFile, memory: Memory): Promise<WantedFile | null> {
  const { tally, journal, context } = run
  const reach = new Reach(run.retryPolicy)
  tally.began(file.number)
  for (;;) {
    try {
      const room = memory.room(file.sizeBytes)
      const read = await readWhole(run, file, memory.number)
      if (read.kind === 'larger') {
        tally.resized(read.sizeBytes - file.sizeBytes)
        return { ...file, sizeBytes: read.sizeBytes }
      }
      const decision = await resolveFolderConflict(run, file, (object) => hasMd5(run, object, read.sizeBytes, read.md5))
      const content = { bytes: room.subarray(0, read.sizeBytes), md5: read.md5, reach }
      const proof = decision.kind === 'send' ? await putFile(run, file, decision.key, content) : null
      tally.resized(read.sizeBytes - file.sizeBytes)
      const version = { number: file.number, sizeBytes: read.sizeBytes, modifiedMs: read.modifiedMs }
      if (proof !== null) {
        tally.done(file.number, read.sizeBytes, proofByEtag(proof))
        journal.sent(version)
      } else {
        if (decision.kind === 'skip') tally.skipped(file.number, read.sizeBytes)
        else tally.alreadyThere(file.number, read.sizeBytes, { verification: 'etag-md5' })
        context.report.confirmed(read.sizeBytes, 'found')
      }
      return null
    } catch (failure) {
      if (await run.givesUp(file, failure)) return null
    }
  }
}

/** Reads a file that may still be changing into shared memory, which its number stands for. Throws TransferError `source-…`. */
async function readWhole(
  { context, sources }: UploadFolderRun,
  { name }: WantedFile,
  memory: number,
): Promise<ReadFile | Extract<ReadResult, { kind: 'larger' }>> {
  for (let reads = 1; ; reads += 1) {
    const read = await sources.read({ name, memory })
    if (read.kind === 'failed') throw sourceError(read.code, read.message)
    if (read.kind !== 'changed') return read
    if (reads === MAX_READS) throw new TransferError('source-changed', `${name} keeps changing while it is being read`)
    await context.deps.clock.sleep(UNREST_MS, context.signal)
  }
}

function sourceError(code: string | null, message: string): TransferError {
  if (code !== null && isAway(code)) return new TransferError('source-missing', message)
  return new TransferError('source-unreadable', message, code === null ? {} : guardOf(code))
}
