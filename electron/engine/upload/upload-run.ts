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
 * One run of an upload and what it knows by now. `save` makes changes durable first, then visible in `record`, and waits
 * where there is no room for them: what was asked of the service is not asked again for the lack of it.
 */
export interface UploadRun {
  readonly context: RunContext<UploadRecord>
  readonly retryPolicy: RetryPolicy
  /** One for requests that the upload can do without: their failures are not its own. */
  readonly newRetryPolicy: () => RetryPolicy
  readonly record: UploadRecord
  readonly etags: PartEtags
  /** The line to its service, which it shares with others. */
  readonly line: UploadLine
  /** Ends everything the run has under way, because of a failure of one part of it. */
  readonly stop: (failure: unknown) => void
  /** Whether the file answers. */
  readonly silence: DriveSilence
  /** The run is over: nothing of it stays with the signal it was given. */
  readonly end: () => void
  save(changes: Partial<Omit<UploadRecord, 'id' | 'direction'>>): Promise<void>
  /** Tells size and parts, once: telling them again would clear the map. */
  layOut(sizeBytes: number, plan: UploadPlan): void
  /** Counts a durable part once, however often it is confirmed. */
  confirmPart(part: SizedPart, how: 'moved' | 'found', state: 'done' | 'found'): void
  /** Takes back the claim of a part that must be sent again. */
  dropPart(partNumber: number): void
  /** Takes back the claims of all: the next run makes them. */
  dropAll(): void
  /** Notes that `bytes` are to go up twice; false, and nothing, where that would make more than `mostBytes`. */
  copy(bytes: number, mostBytes: number): boolean
  /** The object is there: whatever was not counted yet counts now. */
  confirmAll(sizeBytes: number): void
}

type SizedPart = Pick<PartRecord, 'partNumber' | 'sizeBytes'>

/** The file of a run. Where it can't be reached, `check` and `md5` wait until it can; `read` throws SourceAway. */
export interface PlannedSource extends SourceFile {
  /** The same without a wait: for what others wait for meanwhile, or what looks at more than the file afterwards. */
  readonly now: SourceFile
}

/** A run whose file is bound and whose plan is frozen. */
export interface PlannedUpload {
  readonly run: UploadRun
  readonly source: PlannedSource
  readonly plan: UploadPlan
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

/** The line of all uploads to a host, or one of its own where the number of connections is given. */
export function lineOf({
  connections,
  deps,
  store,
}: Pick<RunContext<never>, 'connections' | 'deps' | 'store'>): UploadLine {
  if (typeof connections !== 'number') return connections.uploadLine(store.host)
  return createUploadLine({ clock: deps.clock, isSaturated: () => false, fixedWidth: connections })
}

/** Tells in the history of the transfer what is tried again, and why. */
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

/** A token of its own for each object that is begun, so that an earlier one of the same transfer is told from it. */
export function newToken({ context }: UploadRun): { readonly token?: string } {
  return context.store.capabilities.metadata === true ? { token: context.deps.uuid() } : {}
}

/** The token as metadata of the object. */
export function markOf({ token }: { readonly token?: string | undefined }): Pick<PutObjectRequest, 'metadata'> {
  return token === undefined ? {} : { metadata: { [TOKEN_NAME]: token } }
}

/** The type that an object gets, where the name of its file tells. */
export function contentTypeFor({ context, record }: UploadRun): { readonly contentType?: string } {
  const contentType = context.deps.contentTypeOf?.(record.sourcePath) ?? null
  return contentType === null ? {} : { contentType }
}
