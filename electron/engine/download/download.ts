import { dirname } from 'node:path'
import { formatBytes } from '../../../shared/format/format-bytes.ts'
import { rangeLength } from '../../../shared/byte-range.ts'
import type { Proof } from '../../../shared/transfer/transfer.ts'
import { totalLength } from '../core/byte-ranges.ts'
import { errnoCode, isNoSpace, isReadOnly, isUnreadable } from '../../errno/errno.ts'
import type { DownloadRecord, ObjectIdentity } from '../core/records.ts'
import type { RootedContext, RunContext, RunOutcome } from '../core/run.ts'
import { SpaceLacking, TransferError } from '../core/transfer-error.ts'
import { missingSpace, requireTakes } from '../files/disk-space.ts'
import { onTarget, orNull, targetFailure } from '../files/file-errors.ts'
import { planProof } from '../integrity/plan-proof.ts'
import { provesContent } from '../integrity/proof-strength.ts'
import { proveIfReadable } from '../integrity/prove-content.ts'
import { SyncFailed } from '../partial-file/claim-ledger.ts'
import { ClaimSet } from '../partial-file/claims.ts'
import { PartialGone, partialPathOf } from '../partial-file/partial-file.ts'
import { dateOf, fits, publish, recoverPublished } from '../partial-file/publish.ts'
import { outcomeOfFailure } from '../retry/classify.ts'
import { createRetryPolicy, withRetry } from '../retry/create-retry-policy.ts'
import { DriveSilence } from '../volumes/drive-silence.ts'
import { eachCall } from '../volumes/each-call.ts'
import { BorrowedUnproven, isBorrowing, withoutUselessLoan } from './borrowed-bytes.ts'
import { endRun, startRun, type DownloadRun } from './download-run.ts'
import { fetchLeases } from './fetch-ranges.ts'
import { probe } from './probe.ts'
import { leave, ObjectChanged, RangesRefused, type Passed } from './requests.ts'
import { sizeOf } from './response-check.ts'
import { createPartial, openKept } from './resume.ts'
import { RANGES_REFUSED } from './service-notes.ts'
import { verifyDownload } from './verify-download.ts'
import { streamFromStart, streamMissing } from './whole-object.ts'

type Context = RunContext<DownloadRecord>

/**
 * Downloads an object into a file: probe → leases → verify → publish. Continues with what an earlier run left. Never
 * throws. Only one complete, verified version ever gets the final name. Reports when the drive is silent.
 */
export async function runDownload(context: Context): Promise<RunOutcome> {
  const silence = new DriveSilence(context)
  const fileSystem = eachCall(context.deps.fileSystem, (_path, call) => silence.during(call()))
  try {
    return { kind: 'completed', ...(await download({ ...context, deps: { ...context.deps, fileSystem } })) }
  } catch (failure) {
    return outcomeOfFailure(context.signal, causeOf(failure))
  } finally {
    silence.end()
  }
}

/** What a person should read of: the drive's failure behind a failed sync or hash. */
function causeOf(failure: unknown): unknown {
  if (failure instanceof SyncFailed) return targetFailure(failure.cause, 'sync')
  return isUnreadable(failure) ? targetFailure(failure, 'read') : failure
}

async function download(asked: Context): Promise<Proof> {
  asked.report.stage('preparing')
  const published = await recoverPublished(asked)
  if (published !== null) return published
  await refuseTakenName(asked)
  const context = withoutUselessLoan(await rooted(asked))
  try {
    return await downloadObject(context)
  } catch (failure) {
    if (!(failure instanceof BorrowedUnproven)) throw failure
    context.report.log('The bytes of the partial file could not be verified; downloading the object from the start')
    return await downloadObject(await anew(context))
  }
}

/** Downloads an object, and once more if its partial file is moved or deleted meanwhile. */
async function downloadObject(context: RootedContext): Promise<Proof> {
  try {
    return await downloadUnchanged(context)
  } catch (failure) {
    if (!(failure instanceof PartialGone)) throw failure
    context.report.log('The partial file was moved or deleted; starting the download over')
    return await downloadUnchanged(await anew(context))
  }
}

/**
 * Downloads an object, and once more if it changes. If it changes again, a person decides. Behind a link there may be
 * several servers that tell different versions of the same file: then it is taken whole from one of them.
 */
async function downloadUnchanged(context: RootedContext): Promise<Proof> {
  const { record, report } = context
  const next = ['Starting the download over with the new version']
  if (record.location.kind === 'link')
    next.push('Each response is of another version; the file is taken from one of them')
  for (let tries = 0; ; tries += 1) {
    try {
      const from = tries === 2 ? 'one-response' : 'any-responses'
      return await downloadVersion(tries === 0 ? context : await anew(context), from)
    } catch (failure) {
      if (!(failure instanceof ObjectChanged)) throw failure
      const words = next[tries]
      if (words === undefined) throw new TransferError('changed-on-server', failure.message, { cause: failure })
      report.log(words)
    }
  }
}

/**
 * Returns the same download as if nothing of it were here. Its partial file, and whatever holds its final name, are
 * removed when a new partial file is created.
 */
async function anew(context: RootedContext): Promise<RootedContext> {
  const { record, deps, report } = context
  await deps.checkpoints.removeRanges(record.id, 'all')
  report.stage('preparing')
  const partialPath = record.partialPath ?? partialPathOf(record)
  const fresh = { identity: null, partialPath, isRelinked: false, borrowedFrom: undefined }
  return { ...context, record: { ...record, ...fresh } }
}

/** Sets the folder that a download must not leave: the chosen one, else the real path of the target's folder. */
async function rooted(context: Context): Promise<RootedContext> {
  const { deps, record } = context
  const folder = dirname(record.targetPath)
  const root = record.root ?? (await onTarget(folder, () => deps.fileSystem.realpath(folder)))
  return { ...context, record: { ...record, root } }
}

/** Downloads one version, from the first request to the final name. `from`: which responses its bytes may be of. */
async function downloadVersion(context: RootedContext, from: 'any-responses' | 'one-response'): Promise<Proof> {
  const retryPolicy = createRetryPolicy(context)
  const kept = await withRetry(retryPolicy, () => openKept(context))
  // Checking what is here may have taken long.
  retryPolicy.moved()
  let run = kept === null ? null : await startRun(context, retryPolicy, kept.file, kept.identity, kept.claims)
  let first: Passed | null = null
  try {
    const begun = kept === null || run === null ? null : { ...kept, missing: run.claims.missing() }
    const probed = await probe(context, retryPolicy, begun)
    first = probed.first
    const bound = from === 'one-response' ? null : probed.bound
    const current = run !== null || bound === null ? null : await provenCurrent(context, bound)
    if (current !== null) return current
    run ??= await startRun(
      { ...context, record: { ...context.record, publishing: null } },
      retryPolicy,
      await withRetry(retryPolicy, () => createPartial(context, bound)),
      bound,
      new ClaimSet(),
    )
    if (bound !== null) {
      const { key } = context.record
      const { digests } = first.response.head
      const object = { key, identity: bound, digests, isBorrowed: isBorrowing(context.record) }
      run.proof?.aim((signal) => planProof({ ...context, signal }, object))
    }
    context.report.stage('transferring')
    const fetching = run
    const fetch = (ready: Passed | null): Promise<ObjectIdentity> =>
      bound === null ? fetchUnbound(fetching, ready) : fetchMissing(fetching, bound, ready)
    const identity = await fetch(first)
    const proof = await verifyDownload(run, identity, () => fetch(null))
    context.report.stage('completing')
    await publish(run, identity)
    return proof
  } catch (failure) {
    if (failure instanceof ObjectChanged || failure instanceof BorrowedUnproven) run?.claims.withdraw()
    else await run?.claims.commit().catch(() => undefined)
    throw await unlessGone(run, failure)
  } finally {
    // An unread response would keep its connection from everything else.
    if (first !== null) await leave(first.response.body)
    if (run !== null) await endRun(run)
  }
}

/** Returns the failure, or what is behind it if the partial file can't be found under its name any more. */
async function unlessGone(run: DownloadRun | null, failure: unknown): Promise<unknown> {
  const cause = failure instanceof TransferError ? failure.cause : failure
  if (run === null || errnoCode(cause) !== 'ENOENT' || !(await run.file.isGone())) return failure
  return new PartialGone(run.file.path, { cause: failure })
}

/** Fetches what is missing by ranges or, if the service refuses those, from whole-object responses. */
async function fetchMissing(run: DownloadRun, identity: ObjectIdentity, first: Passed | null): Promise<ObjectIdentity> {
  const { context, claims } = run
  await requireTakes(context.deps.fileSystem, dirname(run.file.path), identity.sizeBytes)
  let ready = await withRoom(run, totalLength(claims.missing()), first)
  let isStream = first?.kind === 'whole'
  for (;;) {
    try {
      // What arrived in the last attempt must not be fetched again.
      await claims.commit()
      if (claims.missing().length === 0) break
      if (isStream) await streamMissing(run, identity, ready?.response ?? null)
      else await fetchLeases(run, identity, ready)
    } catch (failure) {
      if (failure instanceof RangesRefused) {
        context.report.log('The server does not support ranges; reading the object from the beginning')
        await RANGES_REFUSED.note(context.deps, context.record.location)
        isStream = true
      } else if (failure instanceof SyncFailed) {
        await recoverWrites(run, failure)
      } else if (isNoSpace(failure) || isReadOnly(failure)) {
        // The disk of the database takes no writes: a commit that nothing waited for met that.
        await run.retryPolicy.waitAfter(failure)
      } else {
        throw failure
      }
    }
    ready = null
  }
  return identity
}

/** Fetches a version that can't be continued: all of its bytes must be from one response. */
async function fetchUnbound(run: DownloadRun, first: Passed | null): Promise<ObjectIdentity> {
  const { context } = run
  context.report.log('The server does not identify the object’s version, so an interrupted download would start over')
  const ready = first === null ? null : await wholeResponse(run, first)
  const identity = await streamFromStart(run, ready?.response ?? null)
  context.report.size(identity.sizeBytes)
  await context.deps.checkpoints.update(context.record.id, { identity })
  return identity
}

/** Returns `first` if it is the whole object and the disk has room for it. Otherwise leaves it and returns null. */
async function wholeResponse(run: DownloadRun, first: Passed): Promise<Passed | null> {
  const { response } = first
  const sizeBytes = sizeOf(response)
  const isWhole = first.kind === 'whole' || rangeLength(first.range) === sizeBytes
  if (isWhole) return await withRoom(run, sizeBytes ?? 0, first)
  await leave(response.body)
  return null
}

/** Waits until the volume has room for `neededBytes`. Returns `first`, or null when waiting cost its connection. */
async function withRoom(run: DownloadRun, neededBytes: number, first: Passed | null): Promise<Passed | null> {
  const { deps, report } = run.context
  const folder = dirname(run.file.path)
  for (let ready: Passed | null = first; ; ready = null) {
    const lacking = await missingSpace(deps.fileSystem, folder, neededBytes)
    if (lacking === 0) return ready
    if (ready !== null) await leave(ready.response.body)
    report.log(`The disk needs ${formatBytes(lacking)} more free space for this download`)
    await run.retryPolicy.waitAfter(new SpaceLacking(lacking))
  }
}

/** After a failed sync, has the lost bytes fetched again, once. A second failure in a row is for a person to decide. */
async function recoverWrites({ context, claims, file, retryPolicy, proof }: DownloadRun, failure: SyncFailed) {
  claims.dropUnclaimed()
  await proof?.restart()
  await file.reopen()
  if (isNoSpace(failure.cause) || isReadOnly(failure.cause)) return await retryPolicy.waitAfter(failure.cause)
  if (claims.failedSyncs > 1) throw new TransferError('target-unwritable', String(failure.cause), { cause: failure })
  context.report.log('The disk failed to save some of the data; downloading it again')
}

/** Fails at once if the target exists and must not be replaced, rather than at the end. */
async function refuseTakenName(context: Context): Promise<void> {
  const { record, deps } = context
  const { targetPath, onConflict, partialPath, publishing } = record
  const mayHoldName = partialPath !== null && publishing !== null
  if (onConflict !== 'fail' || mayHoldName) return
  const found = await onTarget(targetPath, () => orNull(deps.fileSystem.lstat(targetPath)))
  if (found !== null) throw new TransferError('target-exists', targetPath)
}

/**
 * For a download that skips identical files, returns the proof that the target already is this very version, else null.
 * When the content can't be proven, size and modified time must be those that a finished download gives.
 */
async function provenCurrent(context: RunContext<DownloadRecord>, identity: ObjectIdentity): Promise<Proof | null> {
  const { record, deps, report } = context
  const { targetPath, onConflict } = record
  if (onConflict !== 'skip-identical') return null
  const found = await onTarget(targetPath, () => orNull(deps.fileSystem.lstat(targetPath, { bigint: true })))
  if (found?.isFile() !== true || found.size !== BigInt(identity.sizeBytes)) return null
  report.stage('verifying')
  const proof = await proveIfReadable(context, targetPath, { key: record.key, identity })
  if (proof === null || (!provesContent(proof) && (dateOf(identity) === null || !fits(found, identity)))) return null
  report.size(identity.sizeBytes)
  report.confirmed(identity.sizeBytes, 'found')
  report.facts({ localPath: targetPath })
  report.log('The file is already there and matches the object')
  return proof
}
