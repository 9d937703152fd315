// When a body that stands still is given up and sent again.

import { MIB } from '../../../../../shared/limits.ts'
import { STORE_ERROR, StoreError } from '../../../../stores/port/store-error.ts'

/**
 * A queue on the way explains silence for `QUEUE_TIMES` times as long as it takes to drain, plus this
 * (milliseconds).
 */
const SILENCE_MS = 30_000
const QUEUE_TIMES = 4
/** An unknown line is assumed to be this slow (bytes a second). */
const SLOWEST_RATE = MIB / 32
/** A body that stood still for this long plus the time of its queue does not hold up the others (milliseconds). */
const STUCK_MS = 4000
const UNKNOWN_QUEUE_MS = 30_000
/** A body is overtaken once this many times what was on its way with it has been answered since. */
const OVERTAKEN_TIMES = 2
/** A copy is also sooner after a silence of this many turnarounds of others, if `LEAST_RESPONSES` are known. */
const TURNAROUNDS = 4
const LEAST_RESPONSES = 10
/** Within this time no copy is clearly sooner (milliseconds). */
const LEAST_COPY_MS = 2000
/** While no body at all is answered, the line itself may be out for so long (milliseconds). */
const OUTAGE_MS = 10_000
/**
 * A copy that holds up nothing else goes sooner: after this many turnarounds, and this many times a body's time; more
 * of those if only a few turnarounds are known.
 */
const IDLE_TURNAROUNDS = 3
const IDLE_BODIES = 2
const FEW_RESPONSES = 3
const FEW_IDLE_BODIES = 3
/** It goes sooner still once the body could have gone this many times over the line that it has to itself. */
const ALONE_BODIES = 2

/** A body stands still and nothing on the way explains it. It is sent again over another connection. */
export class LateResponse extends StoreError {
  constructor(message: string) {
    super(STORE_ERROR.network, message, { trouble: { code: 'no-answer', host: null } })
    this.name = 'LateResponse'
  }
}

/** What is known of a body that stands still, and of the others. */
export interface Standstill {
  readonly silentMs: number
  /** The part of `silentMs` in which no other body was answered either. */
  readonly quietMs: number
  readonly sizeBytes: number
  /** Bytes on their way when it last moved, its own included. */
  readonly queueBytes: number
  /** Bytes on their way now. */
  readonly queueNowBytes: number
  /** Bytes of others that were answered since it last moved. */
  readonly answeredBytes: number
  /** The latest times from the last byte of a body to its answer, milliseconds. */
  readonly turnaroundsMs: readonly number[]
  /** How long a body of its size takes, judged by the latest large one, milliseconds; null before the first. */
  readonly bodyMs: number | null
  /** How long it takes at most if nothing else is on the line, milliseconds; Infinity if unknown. */
  readonly aloneMs: number
  readonly rate: number | null
  /** Another body was answered since this one began. */
  readonly isAnyAnswered: boolean
  /** Nothing else is on its way on this line or waits to be sent. */
  readonly isLineIdle: boolean
}

/**
 * How long a body may stand still, milliseconds: longer than all that was on its way with it takes to drain, at a rate
 * that may have fallen since. A line may carry bodies side by side, so those that began later count as well until they
 * overtake it. Pure.
 */
function lateAfterMs(standstill: Standstill): number {
  const { queueBytes, queueNowBytes, answeredBytes, rate } = standstill
  const sharedBytes = isOvertaken(standstill) ? 0 : answeredBytes + queueNowBytes
  return SILENCE_MS + queueMs(Math.max(queueBytes, sharedBytes), rate)
}

/**
 * Whether a body has stood still for so long that others need not wait for it: it may still move, but the line has
 * room. `aheadBytes`: what goes first and so explains a standstill. On an unknown line that gets the time of a slow one.
 * Pure.
 */
export function isStandingStill({ silentMs, rate }: Standstill, aheadBytes: number): boolean {
  if (aheadBytes === 0) return silentMs > STUCK_MS
  const usualMs = rate === null ? UNKNOWN_QUEUE_MS : (2 * aheadBytes * 1000) / Math.max(1, rate)
  return silentMs > STUCK_MS + usualMs
}

/**
 * Whether a copy of a body would clearly arrive sooner, judged by others: far more was answered since than was on its
 * way with it, so nothing can be ahead of it any more; or it takes many times as long as any of them took. Pure.
 */
function isCopySooner(standstill: Standstill): boolean {
  const { silentMs, sizeBytes, queueBytes, answeredBytes, turnaroundsMs, rate } = standstill
  const usualMs = Math.max(...turnaroundsMs)
  if (silentMs < LEAST_COPY_MS || turnaroundsMs.length === 0) return false
  if (silentMs > 3 * usualMs && isOvertaken(standstill)) return true
  if (isCopyFree(standstill)) return true
  if (turnaroundsMs.length < LEAST_RESPONSES || (answeredBytes === 0 && silentMs < OUTAGE_MS)) return false
  const leftBytes = Math.max(sizeBytes, queueBytes - answeredBytes)
  return silentMs > TURNAROUNDS * usualMs + queueMs(leftBytes, rate) / 2
}

/**
 * Whether a copy holds up no other body, and takes less time than this body has already been silent: all that was on
 * its way with it is answered. What others took tells little if they shared the line: since the latest answer this body
 * has had all of it. Pure.
 */
function isCopyFree(standstill: Standstill): boolean {
  const { silentMs, quietMs, sizeBytes, queueBytes, answeredBytes, turnaroundsMs, isLineIdle } = standstill
  const { bodyMs, aloneMs, isAnyAnswered } = standstill
  const isAlone = isLineIdle && answeredBytes >= queueBytes - sizeBytes
  if (!isAlone || turnaroundsMs.length < FEW_RESPONSES) return false
  // Before that, buffers may still hold bodies of before a pause.
  if (isAnyAnswered && quietMs > Math.max(SILENCE_MS, ALONE_BODIES * aloneMs)) return true
  const bodies = turnaroundsMs.length < LEAST_RESPONSES ? FEW_IDLE_BODIES : IDLE_BODIES
  const waitedMs = Math.max(IDLE_TURNAROUNDS * Math.max(...turnaroundsMs), bodies * (bodyMs ?? Infinity))
  // Unless another one was answered since, the line itself may be out.
  return answeredBytes > 0 && silentMs > waitedMs
}

/**
 * Whether to give a body up. `mayBeCopied` is called only if the body may still move, with whether its copy holds up no
 * other. Otherwise pure.
 */
export function isLate(standstill: Standstill, mayBeCopied: (isFree: boolean) => boolean): boolean {
  if (isCopySooner(standstill) && mayBeCopied(isCopyFree(standstill))) return true
  return standstill.silentMs > lateAfterMs(standstill) || isLeftOver(standstill)
}

/**
 * Whether a body stood still for too long since the latest answer: only what is still on its way can hold it up. If the
 * rate is unknown, answers tell too little. Pure.
 */
function isLeftOver(standstill: Standstill): boolean {
  const { quietMs, queueBytes, queueNowBytes, rate } = standstill
  const leftBytes = isOvertaken(standstill) ? Math.min(queueBytes, queueNowBytes) : queueNowBytes
  return rate !== null && quietMs > SILENCE_MS + queueMs(leftBytes, rate)
}

function isOvertaken({ queueBytes, answeredBytes }: Standstill): boolean {
  return answeredBytes >= OVERTAKEN_TIMES * queueBytes
}

function queueMs(queueBytes: number, rate: number | null): number {
  if (rate === null) return (queueBytes * 1000) / SLOWEST_RATE
  return (QUEUE_TIMES * queueBytes * 1000) / Math.max(1, rate)
}
