import { TRIES_BEFORE_LONG_WAIT } from '../../../shared/limits.ts'
import type { TransferErrorInfo } from '../../../shared/transfer/transfer-error.ts'
import type { ObjectStore } from '../../stores/port/object-store.ts'
import { STORE_ERROR, StoreError } from '../../stores/port/store-error.ts'
import { linkSignal } from '../async/linked-signal.ts'
import type { EngineDeps } from '../core/deps.ts'
import type { DueAbort } from '../core/records.ts'
import { classify, type Verdict } from '../retry/classify.ts'
import { backoffMs } from '../retry/create-retry-policy.ts'

const ABORTS_AT_A_TIME = 4

/** Aborts multipart uploads that are no longer wanted. Each stays due until the service says that it is gone. */
export interface AbortQueue {
  /** Takes up the aborts left over from earlier. */
  resume(): Promise<void>
  /** Resolves when the abort is durable; it is carried out in the background. */
  add(abort: DueAbort): Promise<void>
  /** The upload is wanted again: resolves when its abort is neither due nor being tried. */
  withdraw(uploadId: string): Promise<void>
  /** Whether the abort is being tried or about to be. Also false if the service has refused it. */
  isTrying(uploadId: string): boolean
  /** Nothing is being tried: all uploads are gone, or their aborts were given up until the next start. */
  readonly isQuiet: boolean
  /** Stops trying; unfinished aborts stay due. */
  close(): Promise<void>
}

/** Called with why an upload could not be aborted; null when the service gave no reason. */
export type OnRefused = (due: DueAbort, error: TransferErrorInfo | null) => void

interface Active {
  /** Never rejects. */
  readonly work: Promise<void>
  abort(reason: unknown): void
}

/**
 * @param onQuiet called each time `isQuiet` becomes true.
 * @param onRefused called once for each abort that the service refuses, even over restarts.
 */
export function createAbortQueue(
  deps: Pick<EngineDeps, 'clock' | 'random' | 'checkpoints' | 'openStore'>,
  onQuiet: () => void,
  onRefused: OnRefused,
): AbortQueue {
  let waiting: DueAbort[] = []
  const active = new Map<DueAbort, Active>()
  const closing = new AbortController()

  function pump(): void {
    while (active.size < ABORTS_AT_A_TIME && !closing.signal.aborted) {
      const due = waiting.shift()
      if (due === undefined) break
      const { signal, abort, release } = linkSignal(closing.signal)
      const work = carryOut(due, signal).finally(() => {
        release()
        active.delete(due)
        pump()
        if (active.size === 0 && waiting.length === 0) onQuiet()
      })
      active.set(due, { work, abort })
    }
  }

  /** Never rejects. Gives up until the next start if only a person can help, or if the upload outlives all tries. */
  async function carryOut(due: DueAbort, signal: AbortSignal): Promise<void> {
    for (let attempt = 1; !signal.aborted; attempt += 1) {
      try {
        await abortOnce(deps.openStore(due.location), due, signal)
        return await deps.checkpoints.abortDone(due.uploadId)
      } catch (failure) {
        if (signal.aborted) return
        const verdict = classify(failure)
        const isVain = failure === STILL_THERE && attempt >= TRIES_BEFORE_LONG_WAIT
        if (verdict.kind === 'stop' || isVain) return await giveUp(deps.checkpoints, due, verdict, onRefused)
        const delayMs = Math.max(backoffMs(attempt, deps.random), verdict.retryAfterMs ?? 0)
        await deps.clock.sleep(delayMs, signal).catch(() => undefined)
      }
    }
  }

  return {
    async resume() {
      waiting.push(...(await deps.checkpoints.abortsDue()))
      pump()
    },
    async add(abort) {
      try {
        await deps.checkpoints.addAbort(abort)
      } finally {
        // An abort that can't be made durable is still tried as long as this process lives.
        waiting.push(abort)
        pump()
      }
    },
    async withdraw(uploadId) {
      waiting = waiting.filter((due) => due.uploadId !== uploadId)
      const tried = [...active].filter(([due]) => due.uploadId === uploadId).map(([, each]) => each)
      for (const { abort } of tried) abort('withdrawn')
      await Promise.all(tried.map(({ work }) => work))
      await deps.checkpoints.abortDone(uploadId)
    },
    isTrying: (uploadId) => [...waiting, ...active.keys()].some((due) => due.uploadId === uploadId),
    get isQuiet() {
      return active.size === 0 && waiting.length === 0
    },
    async close() {
      closing.abort('close')
      waiting = []
      await Promise.all([...active.values()].map(({ work }) => work))
    },
  }
}

/** Gives an abort up until the next start, which does not report it again. */
async function giveUp(
  checkpoints: EngineDeps['checkpoints'],
  due: DueAbort,
  verdict: Verdict,
  onRefused: OnRefused,
): Promise<void> {
  if (due.isRefused === true) return
  await checkpoints.addAbort({ ...due, isRefused: true }).catch(() => undefined)
  onRefused(due, verdict.kind === 'stop' ? verdict.error.info : null)
}

/** Throws unless the upload is gone: a part that was on its way can outlive the abort, and is billed. */
async function abortOnce(store: ObjectStore, { key, uploadId }: DueAbort, signal: AbortSignal): Promise<void> {
  const address = { key, uploadId, signal }
  const isGone = await saysGone(store.abortMultipartUpload(address), GONE)
  if (!isGone && !(await saysGone(store.listParts({ ...address, maxParts: 1 }), GONE_OR_HIDDEN))) throw STILL_THERE
}

const STILL_THERE = new StoreError('InternalError', 'The upload is still there after it was aborted')
/** A service without the operation will never carry it out. */
const GONE = new Set<string>(['NoSuchUpload', STORE_ERROR.notImplemented])
/** A service that doesn't list for us has said all that it will. */
const GONE_OR_HIDDEN = new Set<string>([...GONE, 'AccessDenied'])

async function saysGone(answer: Promise<unknown>, codes: ReadonlySet<string>): Promise<boolean> {
  try {
    await answer
    return false
  } catch (failure) {
    if (failure instanceof StoreError && codes.has(failure.code)) return true
    throw failure
  }
}
