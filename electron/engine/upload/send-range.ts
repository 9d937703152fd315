import { assert } from '../../../shared/assert.ts'
import { rangeLength, type ByteRange } from '../../../shared/byte-range.ts'
import { MD5_WANTED_CODE } from '../../../shared/service-codes.ts'
import type { PutResult } from '../../stores/port/object-store.ts'
import { STORE_ERROR, StoreError } from '../../stores/port/store-error.ts'
import { TransferError } from '../core/transfer-error.ts'
import type { BodyToSend, Sending } from '../core/upload-line.ts'
import { sourceChanged } from '../files/source-file.ts'
import { DIGEST_REFUSED } from '../integrity/etag.ts'
import { mostCopiedBytes } from '../line/upload/late/copies.ts'
import { sendOver } from '../line/upload/line-send.ts'
import { explainNotFound, type QuestionedUpload } from '../multipart/not-found.ts'
import type { Reach } from '../retry/reach.ts'
import { sourceBody, type SourceBody } from './source-body.ts'
import { listsUploads, type PlannedUpload } from './upload-run.ts'

/** Members that every request with a body of file bytes shares. */
export interface BodyRequest {
  readonly body: SourceBody
  readonly contentMd5?: string
  readonly onSent: (bytes: number) => void
  readonly signal: AbortSignal
}

export interface SentRange {
  readonly etag: string
  readonly md5: string
}

/** How many times a range that arrives damaged is sent: if the service says so, and if only its ETag shows it. */
const MAX_SENDS_REFUSED = 2
const MAX_SENDS_MISMATCHED = 3
const EMPTY_MD5 = 'd41d8cd98f00b204e9800998ecf8427e'

/** When a range is sent, how far it came and what ends it; the same for all tries. */
export interface RangeSending {
  /** Its place among all bodies that go to the host; lower ranks go first. */
  readonly rank: number
  readonly signal: AbortSignal
  readonly isReady: () => boolean
  readonly reach: Reach
  /** Called each time that it is sent, when its turn has come. */
  readonly onBegun?: (sending: Sending) => void
}

/** What hashing has told of the bytes of a range; kept for all tries. */
export interface RangeProof {
  /** Hex; null until the bytes are read. */
  md5: string | null
}

/**
 * Sends a range and proves by the returned ETag that it arrived; if damaged, it is hashed and sent again. The bytes are
 * hashed as they are sent. Content-MD5 goes along if the hash is known beforehand: for a single object, if ETags prove
 * nothing, if the service wants it, and when a range is sent again. If the service accepts that hash and no ETag of the
 * upload was ever an MD5, its ETags count as opaque. Throws what the request throws, and TransferError `part-damaged` or
 * `source-…`.
 */
export async function sendProven(
  upload: PlannedUpload,
  range: ByteRange,
  proof: RangeProof,
  sending: RangeSending,
  send: (request: BodyRequest) => Promise<PutResult>,
): Promise<SentRange> {
  const { context, etags } = upload.run
  if (etags.needHash) proof.md5 ??= await upload.source.md5(range, sending.signal)
  for (let sends = 1; ; sends += 1) {
    const result = await sendOnce(upload, range, proof, sending, send)
    if (result.kind === 'sent') return result.sent
    const isTaken = result.kind === 'mismatched' && result.isHashed
    if (isTaken && !etags.areOpaque && sends > 1 && etags.contradict()) {
      context.report.log('ETags of this upload are not MD5s, so the server now checks a hash of each part')
    }
    if (isTaken && etags.areOpaque) return result.sent
    if (result.kind === 'mismatched') context.report.moved(-rangeLength(range))
    const limit = result.kind === 'mismatched' ? MAX_SENDS_MISMATCHED : MAX_SENDS_REFUSED
    if (sends >= limit) throw new TransferError('part-damaged', result.detail)
    context.report.log(`${result.detail}; sending it again`)
    proof.md5 = await upload.source.md5(range, sending.signal)
  }
}

type SendResult =
  | { readonly kind: 'sent'; readonly sent: SentRange }
  /** `isHashed`: the service accepted a hash along with the bytes. */
  | { readonly kind: 'mismatched'; readonly sent: SentRange; readonly isHashed: boolean; readonly detail: string }
  | { readonly kind: 'refused'; readonly detail: string }

async function sendOnce(
  upload: PlannedUpload,
  range: ByteRange,
  proof: RangeProof,
  sending: RangeSending,
  send: (request: BodyRequest) => Promise<PutResult>,
): Promise<SendResult> {
  const { source } = upload
  const { context, etags, line } = upload.run
  await source.check()
  const sent: { body: SourceBody | null; isHashed: boolean } = { body: null, isHashed: false }
  let answeredBytes = 0
  try {
    const { etag } = await sendOver(line, bodyToSend(upload, range, sending), sending.signal, async (turn) => {
      sending.onBegun?.(turn.sending)
      const { onSent, signal } = turn
      // Other ranges may have shown by now that a hash is needed. Bodies behind this one wait, so use `source.now`.
      if (etags.needHash) proof.md5 ??= await source.now.md5(range, signal)
      const contentMd5 = proof.md5 === null ? {} : { contentMd5: Buffer.from(proof.md5, 'hex').toString('base64') }
      sent.isHashed = proof.md5 !== null
      const body = (sent.body = sourceBody(source, range, { ...context, signal }, turn.sending))
      const result = await send({ body, ...contentMd5, onSent, signal })
      if (!body.mayBeWhole)
        throw new StoreError(STORE_ERROR.badAnswer, 'The server accepted bytes before it had them all')
      return result
    })
    answeredBytes = rangeLength(range)
    // The service has the bytes: even if the drive is away by now, they need not be sent again.
    await source.check()
    const md5 = learn(proof, sent.body)
    if (etags.learn({ etag, md5 })) return { kind: 'sent', sent: { etag, md5 } }
    const detail = `The server’s bytes differ from what was sent (ETag ${etag}, MD5 ${md5})`
    return { kind: 'mismatched', sent: { etag, md5 }, isHashed: sent.isHashed, detail }
  } catch (error) {
    if (answeredBytes > 0) context.report.moved(-answeredBytes)
    const { body } = sent
    if (body !== null && body.failure !== null) throw body.failure
    if (body !== null && body.md5 !== null) learn(proof, body)
    if (!(error instanceof StoreError)) throw error
    if (error.httpStatus === 404) throw await explainNotFound(uploadOf(upload), error)
    const isLacking = error.code === MD5_WANTED_CODE && !sent.isHashed
    if (isLacking) return { kind: 'refused', detail: 'The server wants a hash of the bytes with them' }
    if (!DIGEST_REFUSED.has(error.code)) throw error
    return { kind: 'refused', detail: `The bytes arrived damaged (${error.code})` }
  }
}

function uploadOf({ run }: PlannedUpload): QuestionedUpload {
  const { store, signal } = run.context
  const { key, uploadId } = run.record
  return { store, key, uploadId, signal, listsUploads: listsUploads(run) }
}

function bodyToSend(
  { run, source, plan }: PlannedUpload,
  range: ByteRange,
  { rank, isReady, reach }: RangeSending,
): BodyToSend {
  const { report, limiter } = run.context
  const sizeBytes = rangeLength(range)
  const reached = reach.begin()
  const mayBeCopied = (handedBytes: number, isFree: boolean): boolean => {
    const file = { fileBytes: source.identity.sizeBytes, isPart: plan.partCount > 0, isOpaque: run.etags.areOpaque }
    const mostBytes = mostCopiedBytes({ sizeBytes, handedBytes, isFree, ...file })
    return mostBytes !== null && run.copy(handedBytes, mostBytes)
  }
  return {
    sizeBytes,
    rank,
    isReady,
    onTaken(bytes, overMs) {
      report.moved(bytes, overMs)
      reached(bytes)
    },
    limitBytesPerSecond: () => limiter.limitBytesPerSecond,
    mayBeCopied,
  }
}

/** Returns the hash of what was sent. Throws TransferError `source-changed` if it differs from what was read before. */
function learn(proof: RangeProof, body: SourceBody | null): string {
  // An empty body is never opened.
  const sent = body?.md5 ?? (body?.sizeBytes === 0 ? EMPTY_MD5 : null)
  assert(sent !== null, 'a response comes only after the whole body')
  proof.md5 ??= sent
  if (proof.md5 !== sent) throw sourceChanged('The file’s bytes differ from when they were last read')
  return sent
}
