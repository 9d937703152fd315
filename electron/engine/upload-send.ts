import { rangeLength, type ByteRange } from '../../shared/byte-range.ts'
import type { PutResult, RequestBody } from '../stores/object-store.ts'
import { StoreError } from '../stores/store-error.ts'
import { isSameEtag } from './completion-evidence.ts'
import { TransferError } from './transfer-error.ts'
import type { PlannedUpload } from './upload-session.ts'

/** Members that every request with a body of file bytes shares. */
export interface BodyRequest {
  readonly body: RequestBody
  readonly contentMd5: string
  readonly onSent: (bytes: number) => void
  readonly signal: AbortSignal
}

export interface SentRange {
  readonly etag: string
  readonly md5: string
}

/** How often a range is sent while it arrives damaged: the service saw it, or only its ETag shows it. */
const MAX_SENDS_REFUSED = 2
const MAX_SENDS_MISMATCHED = 3
const DIGEST_REFUSED = new Set(['InvalidDigest', 'BadDigest'])

/**
 * Sends a range with its Content-MD5 and proves by the returned ETag that it arrived; a damaged one is hashed and sent
 * again. Throws what the request throws, and TransferError `part-damaged` or `source-…`.
 */
export async function sendProven(
  upload: PlannedUpload,
  range: ByteRange,
  md5OfRange: Promise<string>,
  send: (request: BodyRequest) => Promise<PutResult>,
): Promise<SentRange> {
  const { context } = upload.run
  let md5 = await md5OfRange
  for (let sends = 1; ; sends += 1) {
    const answer = await sendOnce(upload, range, md5, send)
    if (answer.kind === 'sent') return { etag: answer.etag, md5 }
    const limit = answer.kind === 'refused' ? MAX_SENDS_REFUSED : MAX_SENDS_MISMATCHED
    if (sends >= limit) throw new TransferError('part-damaged', answer.detail)
    context.report.log(`${answer.detail}; sending it again`)
    md5 = await upload.source.md5(range, context.signal)
  }
}

type SendAnswer =
  | { readonly kind: 'sent'; readonly etag: string }
  | { readonly kind: 'refused' | 'mismatched'; readonly detail: string }

async function sendOnce(
  upload: PlannedUpload,
  range: ByteRange,
  md5: string,
  send: (request: BodyRequest) => Promise<PutResult>,
): Promise<SendAnswer> {
  const { source } = upload
  const { context } = upload.run
  await source.check()
  const sizeBytes = rangeLength(range)
  const body = sourceBody(upload, range)
  let moved = 0
  const count = (bytes: number): void => {
    moved += bytes
    context.report.moved(bytes)
  }
  try {
    const answer = await send({
      body,
      contentMd5: Buffer.from(md5, 'hex').toString('base64'),
      onSent: count,
      signal: context.signal,
    })
    await source.check()
    if (!context.store.capabilities.etagIsMd5 || isSameEtag(answer.etag, md5)) {
      count(sizeBytes - moved)
      return { kind: 'sent', etag: answer.etag }
    }
    count(-moved)
    return { kind: 'mismatched', detail: `The server has other bytes than were sent (ETag ${answer.etag}, MD5 ${md5})` }
  } catch (error) {
    count(-moved)
    if (body.failure !== null) throw body.failure
    if (!(error instanceof StoreError) || !DIGEST_REFUSED.has(error.code)) throw error
    return { kind: 'refused', detail: `The bytes arrived damaged (${error.code})` }
  }
}

/** Reading the file may fail inside the request; `failure` keeps that apart from failures of the connection. */
function sourceBody(upload: PlannedUpload, range: ByteRange): RequestBody & { readonly failure: TransferError | null } {
  const { limiter, signal } = upload.run.context
  let failure: TransferError | null = null
  async function* open(): AsyncGenerator<Uint8Array> {
    try {
      yield* upload.source.read(range, limiter, signal)
    } catch (error) {
      if (error instanceof TransferError) failure = error
      throw error
    }
  }
  return {
    sizeBytes: rangeLength(range),
    open,
    get failure() {
      return failure
    },
  }
}
