import type { ListedPart } from '../../stores/port/object-store.ts'
import { StoreError } from '../../stores/port/store-error.ts'
import type { PartRecord } from '../core/records.ts'
import { sourceChanged } from '../files/source-file.ts'
import { isSameEtag } from '../integrity/etag.ts'
import { listAllParts } from '../multipart/listings.ts'
import { partRange, plannedPartSize } from '../multipart/part-plan.ts'
import type { PlannedUpload } from './upload-run.ts'

/** Which parts need not be sent again. `isGone`: the service no longer has the upload. */
export interface Reconciled {
  readonly parts: readonly PartRecord[]
  readonly isGone: boolean
}

/**
 * Compares the recorded parts with what the service has. A recorded part counts if the service agrees, or doesn't tell;
 * a part that only the service knows counts if the local bytes prove it.
 */
export async function reconcileParts(upload: PlannedUpload, uploadId: string): Promise<Reconciled> {
  const { context, retryPolicy, record } = upload.run
  const { checkpoints } = context.deps
  const recorded = await checkpoints.parts(record.id)
  const address = { key: record.key, uploadId, signal: context.signal }
  const listing = await listAllParts(context.store, address, retryPolicy)
  if (listing.kind !== 'listed') {
    for (const part of recorded) recall(upload, part)
    return { parts: recorded, isGone: listing.kind === 'gone' }
  }
  const listed = new Map(listing.parts.map((part) => [part.partNumber, part]))
  const agreed = recorded.filter((part) => agrees(part, listed.get(part.partNumber)))
  const dropped = recorded.filter((part) => !agreed.includes(part))
  if (dropped.length > 0) {
    await dropParts(upload, dropped)
    context.report.log(`The server doesn’t have ${count(dropped.length, 'part')} that had been sent; sending again`)
  }
  for (const part of agreed) recall(upload, part)
  const known = new Set(agreed.map((part) => part.partNumber))
  const found = await proveParts(
    upload,
    listing.parts.filter((part) => !known.has(part.partNumber)),
  )
  return { parts: [...agreed, ...found].sort((a, b) => a.partNumber - b.partNumber), isGone: false }
}

/**
 * Looks once more for parts that the service lacked, and returns those that it still lacks, in the same order: parts
 * that buffers on the way held when an earlier run ended may have arrived since. Other parts move meanwhile, so a look
 * that fails is not repeated. Throws what reading the file throws, and `signal.reason` when aborted.
 */
export async function stillMissing(
  upload: PlannedUpload,
  uploadId: string,
  partNumbers: readonly number[],
): Promise<readonly number[]> {
  const { context, record } = upload.run
  const { store, signal } = context
  const partNumberMarker = Math.min(...partNumbers) - 1
  const request = { key: record.key, uploadId, partNumberMarker, signal }
  const page = await store.listParts(request).catch((failure: unknown) => {
    if (failure instanceof StoreError && !signal.aborted) return null
    throw failure
  })
  const candidates = page?.parts.filter((part) => partNumbers.includes(part.partNumber)) ?? []
  const found = new Set((await proveParts(upload, candidates)).map((part) => part.partNumber))
  return partNumbers.filter((partNumber) => !found.has(partNumber))
}

/** Counts a part that is there, and learns from it whether ETags are MD5s. */
function recall({ run }: PlannedUpload, part: PartRecord): void {
  run.confirmPart(part, 'found', 'done')
  if (!run.etags.learn(part)) run.etags.contradict()
}

/**
 * Forgets parts whose ETag is not their MD5, accepted before another ETag proved to be an MD5: they arrived damaged.
 * @returns whether there were any.
 */
export async function dropDamagedParts(upload: PlannedUpload): Promise<boolean> {
  const { context, record, etags } = upload.run
  if (etags.areOpaque) return false
  const parts = await context.deps.checkpoints.parts(record.id)
  const damaged = parts.filter((part) => !etags.learn(part))
  if (damaged.length === 0) return false
  await dropParts(upload, damaged)
  context.report.log(`The server’s bytes for ${count(damaged.length, 'part')} differ from what was sent; sending again`)
  return true
}

async function dropParts({ run }: PlannedUpload, parts: readonly PartRecord[]): Promise<void> {
  const partNumbers = parts.map((part) => part.partNumber)
  await run.context.deps.checkpoints.removeParts(run.record.id, partNumbers)
  for (const partNumber of partNumbers) run.dropPart(partNumber)
}

/** Hashes every recorded part again. Throws TransferError `source-changed` if the file has other bytes there now. */
export async function proveRecordedParts(upload: PlannedUpload): Promise<void> {
  const { context, record } = upload.run
  for (const part of await context.deps.checkpoints.parts(record.id)) {
    const range = partRange(upload.plan, upload.source.identity.sizeBytes, part.partNumber)
    const md5 = await upload.source.md5(range, context.signal)
    if (md5 !== part.md5) throw sourceChanged(`Part ${String(part.partNumber)} of the file differs from what was sent`)
  }
  await upload.source.check()
}

/** Keeps those of the service's parts whose size fits the plan and whose ETag is the MD5 of the local bytes. */
async function proveParts(upload: PlannedUpload, candidates: readonly ListedPart[]): Promise<readonly PartRecord[]> {
  const { context, record } = upload.run
  if (upload.run.etags.areOpaque) return []
  const { sizeBytes } = upload.source.identity
  const proven: PartRecord[] = []
  for (const part of candidates) {
    if (plannedPartSize(upload.plan, sizeBytes, part.partNumber) !== part.sizeBytes) continue
    const md5 = await upload.source.md5(partRange(upload.plan, sizeBytes, part.partNumber), context.signal)
    if (!isSameEtag(part.etag, md5)) continue
    proven.push({ partNumber: part.partNumber, sizeBytes: part.sizeBytes, etag: part.etag, md5 })
  }
  if (proven.length === 0) return proven
  await upload.source.check()
  await context.deps.checkpoints.putParts(record.id, proven)
  for (const part of proven) upload.run.confirmPart(part, 'found', 'found')
  context.report.log(`Found ${count(proven.length, 'part')} on the server, verified against the file`)
  return proven
}

function agrees(part: PartRecord, listed: ListedPart | undefined): boolean {
  return listed?.sizeBytes === part.sizeBytes && isSameEtag(listed.etag, part.etag)
}

function count(number: number, noun: string): string {
  return `${String(number)} ${noun}${number === 1 ? '' : 's'}`
}
