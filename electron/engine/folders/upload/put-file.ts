import type { Verification } from '../../../../shared/transfer/transfer.ts'
import type { PutObjectRequest } from '../../../stores/port/object-store.ts'
import { StoreError } from '../../../stores/port/store-error.ts'
import { TransferError } from '../../core/transfer-error.ts'
import type { BodyToSend, Sending } from '../../core/upload-line.ts'
import { inSlices, sendOver } from '../../line/upload/line-send.ts'
import { readBack } from '../../multipart/read-back.ts'
import { isKeyTaken } from '../../multipart/refusals.ts'
import { TOKEN_NAME } from '../../multipart/evidence.ts'
import { classify, storeErrorToTransferError } from '../../retry/classify.ts'
import { withRetry } from '../../retry/create-retry-policy.ts'
import type { Reach } from '../../retry/reach.ts'
import { requireFree } from '../../upload/key-policy.ts'
import { uploadRank } from '../../upload/rank.ts'
import { contentTypeFor } from '../../upload/upload-run.ts'
import { hasMd5 } from './conflict.ts'
import type { UploadFolderRun, WantedFile } from './folder-run.ts'

/** How often a file that arrives damaged is sent. */
const MAX_SENDS = 3

/** What is sent, its MD5 (hex), and how far the tries to send it have come. */
interface Content {
  readonly bytes: Uint8Array
  readonly md5: string
  readonly reach: Reach
}

/**
 * Sends a file; replaces another object only if the policy is to replace all. Throws TransferError `conflict-on-server`
 * when an object has got the key since it was listed. @returns what proves that the object is there.
 */
export async function putFile(
  run: UploadFolderRun,
  file: WantedFile,
  key: string,
  content: Content,
): Promise<Verification> {
  const { store, record } = run.context
  const isExclusive = record.onConflict !== 'replace'
  // An earlier try may have sent this file, and only its response was lost.
  if (isExclusive && store.capabilities.ifAbsent?.put !== true) {
    const proof = await proofAt(run, key, content)
    if (proof !== null) return proof
  }
  try {
    const mark = isExclusive ? markOf(run, content) : {}
    await sendProven(run, file, { key, ifAbsent: isExclusive, ...mark }, content)
    return run.etags.areOpaque ? 'digest' : 'etag-md5'
  } catch (failure) {
    if (!(failure instanceof StoreError) || !isKeyTaken(failure)) throw failure
    const proof = await proofAt(run, key, content)
    if (proof !== null) return proof
    throw storeErrorToTransferError(failure)
  }
}

/**
 * Returns what proves that the object at a key has this content; null when nothing is there, or nothing that we may
 * see. Throws TransferError `conflict-on-server` when another object is there.
 */
async function proofAt(run: UploadFolderRun, key: string, { bytes, md5 }: Content): Promise<Verification | null> {
  const { store, signal } = run.context
  const found = await withRetry(run.retryPolicy, () => readBack({ store, key, signal }))
  if (typeof found === 'string') return null
  const sizeBytes = bytes.length
  if (hasMd5(run, found, sizeBytes, md5)) return 'etag-md5'
  if (found.metadata?.[TOKEN_NAME] === tokenOf(run, md5) && found.sizeBytes === sizeBytes) return 'evidence'
  requireFree(found, { sizeBytes, expectedEtag: md5 })
  return null
}

/** A token that tells an object that this transfer made of this content from others, where ETags can't. */
function tokenOf({ context }: UploadFolderRun, md5: string): string {
  return `${context.record.id}-${md5}`
}

function markOf(run: UploadFolderRun, { md5 }: Content): Pick<PutObjectRequest, 'metadata'> {
  return run.context.store.capabilities.metadata === true ? { metadata: { [TOKEN_NAME]: tokenOf(run, md5) } } : {}
}

/** Sends bytes until the ETag proves that they arrived; where it can't, the service has checked the hash sent along. */
async function sendProven(run: UploadFolderRun, file: WantedFile, target: PutTarget, content: Content): Promise<void> {
  const { etags } = run
  const { bytes, md5 } = content
  let { ifAbsent } = target
  for (let sends = 1; ; sends += 1) {
    try {
      const etag = await sendOnce(run, file, { ...target, ifAbsent }, content)
      // If the object is damaged, it is our own that has the key now.
      ifAbsent = false
      if (etags.learn({ etag, md5 }) || etags.areOpaque || (sends > 1 && etags.contradict())) return
      run.context.report.moved(-bytes.length)
      throw new TransferError('part-damaged', `The server’s bytes differ from what was sent (ETag ${etag}, MD5 ${md5})`)
    } catch (failure) {
      const verdict = classify(failure)
      const isDamaged = verdict.kind === 'stop' && verdict.error.info.code === 'part-damaged'
      if (!isDamaged || sends === MAX_SENDS) throw failure
    }
  }
}

interface PutTarget extends Pick<PutObjectRequest, 'key' | 'metadata'> {
  readonly ifAbsent: boolean
}

/** @returns the ETag. */
async function sendOnce(
  run: UploadFolderRun,
  { name }: WantedFile,
  target: PutTarget,
  { bytes, md5, reach }: Content,
): Promise<string> {
  const { slots, retryPolicy, line, context } = run
  const { store, report, limiter, record, signal: outer } = context
  const contentMd5 = Buffer.from(md5, 'hex').toString('base64')
  const reached = reach.begin()
  const asked: BodyToSend = {
    sizeBytes: bytes.length,
    rank: uploadRank(bytes.length, record.position),
    isReady: () => true,
    onTaken(taken, overMs) {
      report.moved(taken, overMs)
      reached(taken)
    },
    limitBytesPerSecond: () => limiter.limitBytesPerSecond,
    mayBeCopied: () => false,
  }
  await slots.enter()
  let latest: Sending | null = null
  try {
    return await sendOver(line, asked, outer, async ({ sending, onSent, signal }) => {
      latest = sending
      const body = { sizeBytes: bytes.length, open: () => inSlices(bytes, sending, limiter, signal) }
      const request = { ...target, body, contentMd5, ...contentTypeFor(context, name), onSent, signal }
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
