import { rangeLength } from '../../../shared/byte-range.ts'
import type { PartRecord, UploadPlan, UploadRecord } from '../core/records.ts'
import type { RunContext } from '../core/run.ts'
import { bindSource, isSameContent, isSameVersion, sourceChanged, type SourceFile } from '../files/source-file.ts'
import { partRange, plannedPartSize, planUpload } from '../multipart/part-plan.ts'
import { withRetry } from '../retry/create-retry-policy.ts'
import { forgetUpload } from './create-upload.ts'
import { proveRecordedParts } from './reconcile-parts.ts'
import type { PlannedSource, PlannedUpload, UploadRun } from './upload-run.ts'

/** Binds the file and freezes the plan, durably, before the first request. A plan that was never used is made anew. */
export async function bindPlan(run: UploadRun): Promise<PlannedUpload> {
  const { context, record, silence } = run
  const bind = () => silence.during(bindSource(context.deps, record.sourcePath, context.signal))
  // Once a plan exists, wait for a file or drive that is away. Completing waits by itself, and looks again.
  const isWaitedFor = record.plan !== null && record.intent === null
  const bound = await (isWaitedFor ? withRetry(run.retryPolicy, bind) : bind())
  const source = waitedFor(bound, run)
  const { sizeBytes } = source.identity
  const plan = plannedBefore(run) ?? (await planAgain(run, source)) ?? (await planAnew(run, source))
  run.layOut(sizeBytes, plan)
  const planned = { run, source, plan }
  const plannedSource = run.record.source ?? source.identity
  if (!isSameContent(plannedSource, source.identity))
    throw sourceChanged('The file’s size or modification time changed')
  if (!isSameVersion(plannedSource, source.identity)) {
    await proveRecordedParts(planned)
    await run.save({ source: source.identity })
  }
  return planned
}

/** Waits for a drive that is away or doesn't answer, so that what is known of the upload is not lost. */
function waitedFor(bound: SourceFile, { retryPolicy, silence }: UploadRun): PlannedSource {
  const now: SourceFile = {
    ...bound,
    check: () => silence.during(bound.check()),
    async md5(range, signal) {
      const md5 = await silence.during(bound.md5(range, signal), rangeLength(range))
      retryPolicy.moved()
      return md5
    },
    read(range) {
      const reading = bound.read(range)
      return { ...reading, next: (block, signal) => silence.during(reading.next(block, signal)) }
    },
  }
  return {
    ...now,
    now,
    check: () => withRetry(retryPolicy, () => now.check()),
    md5: (range, signal) => withRetry(retryPolicy, () => now.md5(range, signal)),
  }
}

/**
 * Whether the file is known to have changed since it was planned: a file that can't be reached tells nothing. Throws
 * what the signal is aborted with.
 */
export async function hasFileChanged({
  deps,
  record,
  signal,
}: Pick<RunContext<UploadRecord>, 'deps' | 'record' | 'signal'>): Promise<boolean> {
  const { source, sourcePath } = record
  if (source === null) return false
  const now = await bindSource(deps, sourcePath, signal).catch((failure: unknown) => {
    if (signal.aborted) throw failure
    return null
  })
  return now !== null && !isSameContent(source, now.identity)
}

function plannedBefore({ record }: UploadRun): UploadPlan | null {
  const { plan, source, uploadId, intent } = record
  return source !== null && (uploadId !== null || intent !== null) ? plan : null
}

/**
 * The plan of an upload that goes on with a changed file: the part size stays, and so do the parts that the file still
 * has. Null if there is no such upload; an upload that the file no longer fits is given up.
 */
async function planAgain(run: UploadRun, source: SourceFile): Promise<UploadPlan | null> {
  const { plan, uploadId, id } = run.record
  if (plan === null || uploadId === null) return null
  const { sizeBytes } = source.identity
  const { checkpoints } = run.context.deps
  const again = { ...plan, partCount: Math.ceil(sizeBytes / plan.partSizeBytes) }
  if (again.partCount === 0 || again.partCount > run.context.store.capabilities.maxPartCount) {
    const { location, key } = run.record
    // Together: after a restart, an upload that is due to be aborted and still has its transfer counts as canceled.
    await Promise.all([run.context.abandon({ location, key, uploadId }), forgetUpload(run, { plan: null })])
    return null
  }
  const recorded = await checkpoints.parts(id)
  const other: number[] = []
  for (const part of recorded) if (!(await isStillThere(run, source, again, part))) other.push(part.partNumber)
  await source.check()
  if (other.length > 0) await checkpoints.removeParts(id, other)
  await run.save({ source: source.identity, plan: again })
  run.context.report.log(
    `Continuing with the changed file, which still has ${String(recorded.length - other.length)} of ${String(recorded.length)} parts`,
  )
  return again
}

async function isStillThere(run: UploadRun, source: SourceFile, plan: UploadPlan, part: PartRecord): Promise<boolean> {
  const { sizeBytes } = source.identity
  if (plannedPartSize(plan, sizeBytes, part.partNumber) !== part.sizeBytes) return false
  const range = partRange(plan, sizeBytes, part.partNumber)
  return (await source.md5(range, run.context.signal)) === part.md5
}

/** Parts still on record belong to an earlier plan that was not completely forgotten: they are removed first. */
async function planAnew(run: UploadRun, source: SourceFile): Promise<UploadPlan> {
  const { checkpoints } = run.context.deps
  const { id } = run.record
  const recorded = await checkpoints.parts(id)
  if (recorded.length > 0) await withRetry(run.retryPolicy, () => checkpoints.removeParts(id, 'all'))
  const { partSizeBytes, store } = run.context
  const uplinkBytesPerSecond = run.line.bytesPerSecond
  const plan = planUpload(source.identity.sizeBytes, { partSizeBytes, uplinkBytesPerSecond, ...store.capabilities })
  await run.save({ source: source.identity, plan })
  return plan
}
