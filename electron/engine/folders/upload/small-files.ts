import { SINGLE_PUT_MAX_BYTES } from '../../../../shared/limits.ts'
import type { ByteBudget } from '../../async/memory-budget.ts'
import type { WorkQueue } from '../../async/work-queue.ts'
import { blockBytesUnder, type RateLimiter } from '../../core/rate-limiter.ts'
import { TransferError } from '../../core/transfer-error.ts'
import type { BodyToSend, Sending } from '../../core/upload-line.ts'
import { nextSlice, sendOver } from '../../line/line-send.ts'
import { classify } from '../../retry/classify.ts'
import { uploadRank } from '../../upload/rank.ts'
import { hasMd5, resolveFolderConflict } from './conflict.ts'
import type { UploadFolderRun, WantedFile } from './folder-run.ts'
import type { ReadResult, SourceFiles } from './source-files.ts'

/** Larger memory is given back after each file. */
const REUSED_BYTES = 256 * 1024
/** How often a file is read that becomes another meanwhile, and how long it is left alone in between (milliseconds). */
const MAX_READS = 3
const UNREST_MS = 500
/** How often a file is sent that arrives damaged. */
const MAX_SENDS = 3

type ReadFile = Extract<ReadResult, { kind: 'read' }>

/**
 * Sends small files, one after the other, until there are no more: each read and hashed by the thread, sent from memory
 * in one PutObject and proven by its ETag. What is too large goes to `large`.
 */
export async function sendSmall(
  run: UploadFolderRun,
  wanted: WorkQueue<WantedFile>,
  large: WorkQueue<WantedFile>,
  budget: ByteBudget,
  slot: number,
): Promise<void> {
  const memory = new Memory(slot, run.sources)
  for (;;) {
    const file = await wanted.take()
    if (file === null) return
    const grown = file.sizeBytes > SINGLE_PUT_MAX_BYTES ? file : await sendWithin(run, file, budget, memory)
    if (grown === null) continue
    if (grown.sizeBytes > SINGLE_PUT_MAX_BYTES) large.push(grown)
    // It needs more memory than was reserved: it waits for its turn anew, in this slot.
    else for (let next: WantedFile | null = grown; next !== null;) next = await sendWithin(run, next, budget, memory)
  }
}

/** @returns the file when it is larger than it was. */
async function sendWithin(
  run: UploadFolderRun,
  file: WantedFile,
  budget: ByteBudget,
  memory: Memory,
): Promise<WantedFile | null> {
  await budget.reserve(file.sizeBytes)
  try {
    return await sendOne(run, file, memory)
  } finally {
    budget.release(file.sizeBytes)
  }
}

async function sendOne(run: UploadFolderRun, file: WantedFile, memory: Memory): Promise<WantedFile | null> {
  const { tally, journal, context } = run
  for (;;) {
    try {
      const read = await readWhole(run, file, memory)
      if (read.kind === 'larger') {
        tally.resized(read.sizeBytes - file.sizeBytes)
        return { ...file, sizeBytes: read.sizeBytes }
      }
      const decision = await resolveFolderConflict(run, file, (object) => hasMd5(run, object, read.sizeBytes, read.md5))
      if (decision.kind === 'send') await sendProven(run, file, decision.key, memory.bytes(read.sizeBytes), read.md5)
      tally.resized(read.sizeBytes - file.sizeBytes)
      const version = { number: file.number, sizeBytes: read.sizeBytes, modifiedMs: read.modifiedMs }
      if (decision.kind === 'send') {
        tally.done(read.sizeBytes, run.etags.areOpaque ? 'digest' : 'etag-md5')
        journal.sent(version)
      } else {
        // Nothing proves what a skipped file's key has: the row must not say more.
        tally.done(read.sizeBytes, decision.kind === 'skip' ? 'size-only' : 'etag-md5')
        context.report.confirmed(read.sizeBytes, 'found')
      }
      return null
    } catch (failure) {
      if (await run.givesUp(file, failure)) return null
    }
  }
}

/** Throws TransferError `source-…`. */
async function readWhole(
  { context, sources }: UploadFolderRun,
  { name, sizeBytes }: WantedFile,
  memory: Memory,
): Promise<ReadFile | Extract<ReadResult, { kind: 'larger' }>> {
  memory.makeRoom(sizeBytes)
  for (let reads = 1; ; reads += 1) {
    const read = await sources.read({ name, memory: memory.number })
    if (read.kind === 'failed') throw sourceError(read.code, read.message)
    if (read.kind !== 'changed') return read
    if (reads === MAX_READS) throw new TransferError('source-changed', `${name} changes while it is read`)
    await context.deps.clock.sleep(UNREST_MS, context.signal)
  }
}

function sourceError(code: string | null, message: string): TransferError {
  const isGone = code === 'ENOENT' || code === 'ENOTDIR' || code === 'ENODEV' || code === 'ENXIO'
  return new TransferError(isGone ? 'source-missing' : 'source-unreadable', message)
}

/** Sends bytes until the ETag proves that they arrived; where it can't, their hash went along and was accepted. */
async function sendProven(
  run: UploadFolderRun,
  file: WantedFile,
  key: string,
  bytes: Uint8Array,
  md5: string,
): Promise<void> {
  const { etags } = run
  for (let sends = 1; ; sends += 1) {
    try {
      const etag = await sendOnce(run, file, key, bytes, md5)
      if (etags.learn({ etag, md5 }) || etags.areOpaque || (sends > 1 && etags.contradict())) return
      run.context.report.moved(-bytes.length)
      throw new TransferError('part-damaged', `The server has other bytes (ETag ${etag}, MD5 ${md5})`)
    } catch (failure) {
      const verdict = classify(failure)
      const isDamaged = verdict.kind === 'stop' && verdict.error.info.code === 'part-damaged'
      if (!isDamaged || sends === MAX_SENDS) throw failure
    }
  }
}

/** @returns the ETag. */
async function sendOnce(
  run: UploadFolderRun,
  { name }: WantedFile,
  key: string,
  bytes: Uint8Array,
  md5: string,
): Promise<string> {
  const { slots, retryPolicy, line } = run
  const { store, report, limiter, record, signal: outer } = run.context
  const contentMd5 = Buffer.from(md5, 'hex').toString('base64')
  const asked: BodyToSend = {
    sizeBytes: bytes.length,
    rank: uploadRank(bytes.length, record.position),
    isReady: () => true,
    onTaken: (taken, overMs) => report.moved(taken, overMs),
    limitBytesPerSecond: () => limiter.limitBytesPerSecond,
    mayBeCopied: () => false,
  }
  await slots.enter()
  let latest: Sending | null = null
  try {
    return await sendOver(line, asked, outer, async ({ sending, onSent, signal }) => {
      latest = sending
      const body = { sizeBytes: bytes.length, open: () => paced(bytes, limiter, sending, signal) }
      const request = { key, body, contentMd5, ...contentTypeFor(run, name), onSent, signal }
      const { etag } = await store.putObject(request)
      retryPolicy.progressed(Math.max(1, bytes.length))
      return etag
    })
  } catch (failure) {
    if (outer.aborted) report.dropped((latest as Sending | null)?.handedBytes ?? 0)
    throw failure
  } finally {
    slots.leave()
  }
}

function contentTypeFor({ context }: UploadFolderRun, name: string): { readonly contentType?: string } {
  const contentType = context.deps.contentTypeOf?.(name) ?? null
  return contentType === null ? {} : { contentType }
}

async function* paced(
  bytes: Uint8Array,
  limiter: RateLimiter,
  sending: Sending,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length;) {
    const sliceBytes = Math.min(sending.sliceBytes, blockBytesUnder(limiter.limitBytesPerSecond))
    const slice = bytes.subarray(at, at + sliceBytes)
    const turn = nextSlice(sending, limiter, slice.length, signal)
    if (turn !== null) await turn
    yield slice
    at += slice.length
  }
}

/** Memory for one file at a time, which the thread that reads it sees too. */
class Memory {
  readonly number: number
  readonly #sources: SourceFiles
  #buffer = new SharedArrayBuffer(0)

  constructor(number: number, sources: SourceFiles) {
    this.number = number
    this.#sources = sources
  }

  /** Room for a file, in place of the one before. Most are small, and use the same room again. */
  makeRoom(sizeBytes: number): void {
    const { byteLength } = this.#buffer
    if (byteLength >= sizeBytes && byteLength <= Math.max(sizeBytes, REUSED_BYTES)) return
    this.#buffer = new SharedArrayBuffer(sizeBytes)
    this.#sources.share(this.number, this.#buffer)
  }

  bytes(sizeBytes: number): Uint8Array {
    return new Uint8Array(this.#buffer, 0, sizeBytes)
  }
}
