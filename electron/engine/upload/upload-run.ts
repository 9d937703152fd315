import type { PutObjectRequest } from '../../stores/port/object-store.ts'
import { StoreError } from '../../stores/port/store-error.ts'
import { linkSignal } from '../async/linked-signal.ts'
import type { PartRecord, UploadPlan, UploadRecord } from '../core/records.ts'
import type { RetryPolicy } from '../core/retry-policy.ts'
import type { RunContext, RunReporter } from '../core/run.ts'
import type { UploadLine } from '../core/upload-line.ts'
import type { SourceFile } from '../files/source-file.ts'
import { createPartEtags, type PartEtags } from '../integrity/etag-trust.ts'
import { createUploadLine } from '../line/upload/create-upload-line.ts'
import { TOKEN_NAME } from '../multipart/evidence.ts'
import { classify } from '../retry/classify.ts'
import { createRetryPolicy, withRetry } from '../retry/create-retry-policy.ts'
import { DriveSilence } from '../volumes/drive-silence.ts'

/**
 * One run of an upload and what it has learned so far. `save` makes changes durable first, then visible in `record`. It
 * waits if there is no room for them, so that requests already made to the service need not be repeated.
 */
export interface UploadRun {
  readonly context: RunContext<UploadRecord>
  readonly retryPolicy: RetryPolicy
  /** Makes a policy for requests that the upload can do without: their failures are not its own. */
  readonly newRetryPolicy: () => RetryPolicy
  readonly record: UploadRecord
  readonly etags: PartEtags
  /** The line to its service, shared with other uploads. */
  readonly line: UploadLine
  /** Ends everything that the run has under way, because one part of it failed. */
  readonly stop: (failure: unknown) => void
  /** Tells whether the file answers. */
  readonly silence: DriveSilence
  /** Ends the run and detaches it from the signal that it was given. */
  readonly end: () => void
  save(changes: Partial<Omit<UploadRecord, 'id' | 'direction'>>): Promise<void>
  /** Reports size and parts, only once: reporting them again would clear the parts map. */
  layOut(sizeBytes: number, plan: UploadPlan): void
  /** Counts a durable part once, however often it is confirmed. */
  confirmPart(part: SizedPart, how: 'moved' | 'found', state: 'done' | 'found'): void
  /** Takes back a part that was confirmed and must be sent again. */
  dropPart(partNumber: number): void
  /** Takes back all parts that were confirmed: the next run confirms them again. */
  dropAll(): void
  /** Notes that `bytes` more go up twice. Returns false, and notes nothing, if that would exceed `mostBytes` in all. */
  copy(bytes: number, mostBytes: number): boolean
  /** The object is there: bytes that were not counted yet count now. */
  confirmAll(sizeBytes: number): void
}

type SizedPart = Pick<PartRecord, 'partNumber' | 'sizeBytes'>

/** The file of a run. If it can't be reached, `check` and `md5` wait until it can; `read` throws SourceAway. */
export interface PlannedSource extends SourceFile {
  /** The same without waiting: for callers that others wait for, or that look at more than the file afterwards. */
  readonly now: SourceFile
}

/** A run whose file is bound and whose plan is frozen. */
export interface PlannedUpload {
  readonly run: UploadRun
  readonly source: PlannedSource
  readonly plan: UploadPlan
}

/** Whether the service listed its uploads before this one was begun. */
export function listsUploads({ record }: Pick<UploadRun, 'record'>): boolean {
  return (record.uploadsBefore ?? null) !== null
}

/** Begins a run from what its record says. */
export function createUploadRun(outer: RunContext<UploadRecord>): UploadRun {
  const own = linkSignal(outer.signal)
  const { signal } = own
  const context = { ...outer, signal }
  const { report } = context
  const newRetryPolicy = () => withHistory(createRetryPolicy(context), signal, report)
  const confirmed = new Map<number, { readonly sizeBytes: number; readonly how: 'moved' | 'found' }>()
  const retryPolicy = newRetryPolicy()
  const silence = new DriveSilence(context)
  let isLaidOut = false
  let copiedBytes = 0
  let record = context.record

  function dropPart(partNumber: number): void {
    const part = confirmed.get(partNumber)
    if (part === undefined) return
    confirmed.delete(partNumber)
    report.confirmed(-part.sizeBytes, part.how)
    if (part.how === 'moved') report.moved(-part.sizeBytes)
    report.unit(partNumber - 1, 'waiting')
  }

  return {
    context,
    retryPolicy,
    newRetryPolicy,
    etags: createPartEtags(context.store),
    line: lineOf(context),
    stop: (failure) => {
      own.abort(failure)
    },
    silence,
    end() {
      silence.end()
      own.release()
    },
    get record() {
      return record
    },
    async save(changes) {
      await withRetry(retryPolicy, () => context.deps.checkpoints.update(record.id, changes))
      record = { ...record, ...changes }
    },
    layOut(sizeBytes, plan) {
      if (isLaidOut) return
      isLaidOut = true
      report.size(sizeBytes)
      report.units({ count: Math.max(plan.partCount, 1), unitSizeBytes: plan.partSizeBytes })
    },
    confirmPart({ partNumber, sizeBytes }, how, state) {
      if (confirmed.has(partNumber)) return
      confirmed.set(partNumber, { sizeBytes, how })
      report.confirmed(sizeBytes, how)
      report.unit(partNumber - 1, state)
    },
    dropPart,
    dropAll() {
      for (const partNumber of [...confirmed.keys()]) dropPart(partNumber)
    },
    copy(bytes, mostBytes) {
      if (copiedBytes + bytes > mostBytes) return false
      copiedBytes += bytes
      return true
    },
    confirmAll(sizeBytes) {
      const counted = [...confirmed.values()].reduce((sum, part) => sum + part.sizeBytes, 0)
      if (sizeBytes > counted) report.confirmed(sizeBytes - counted, 'found')
    },
  }
}

/** The line that all uploads to a host share, or a separate one if the number of connections is given. */
export function lineOf({
  connections,
  deps,
  store,
}: Pick<RunContext<never>, 'connections' | 'deps' | 'store'>): UploadLine {
  if (typeof connections !== 'number') return connections.uploadLine(store.host)
  return createUploadLine({ clock: deps.clock, isSaturated: () => false, fixedWidth: connections })
}

/** Notes in the history of the transfer what is tried again, and why. */
function withHistory(retryPolicy: RetryPolicy, signal: AbortSignal, report: Pick<RunReporter, 'log'>): RetryPolicy {
  return {
    ...retryPolicy,
    waitAfter(failure, isVain) {
      if (!signal.aborted && classify(failure).kind === 'wait') {
        const { requestId, words } = describeFailure(failure)
        report.log(`Trying again: ${words}`, requestId)
      }
      return retryPolicy.waitAfter(failure, isVain)
    },
  }
}

function describeFailure(failure: unknown): { readonly words: string; readonly requestId: string | null } {
  if (failure instanceof StoreError)
    return { words: `${failure.code}: ${failure.message}`, requestId: failure.requestId }
  return { words: failure instanceof Error ? failure.message : String(failure), requestId: null }
}

/** A new token for each object that is begun, which tells it from an earlier one of the same transfer. */
export function newToken({ context }: UploadRun): { readonly token?: string } {
  return context.store.capabilities.metadata === true ? { token: context.deps.uuid() } : {}
}

/** The token as metadata of the object. */
export function markOf({ token }: { readonly token?: string | undefined }): Pick<PutObjectRequest, 'metadata'> {
  return token === undefined ? {} : { metadata: { [TOKEN_NAME]: token } }
}

/** The content type of the object, if the name of its file tells. */
export function contentTypeFor(
  { deps }: Pick<RunContext<never>, 'deps'>,
  path: string,
): { readonly contentType?: string } {
  const contentType = deps.contentTypeOf?.(path) ?? null
  return contentType === null ? {} : { contentType }
}
