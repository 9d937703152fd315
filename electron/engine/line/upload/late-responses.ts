// When a body that stands still is given up and sent again.

import { MIB } from '../../../../shared/limits.ts'
import { STORE_ERROR, StoreError } from '../../../stores/port/store-error.ts'

/**
 * A queue on the way explains silence for as long as it takes to drain, several times over, and this much
 * (milliseconds).
 */
const SILENCE_MS = 30_000
const QUEUE_TIMES = 4
/** A line of which nothing is known is taken to be this slow (bytes a second). */
const SLOWEST_RATE = MIB / 32
/** A body that stood still for this long, and for what its queue takes, does not hold up the others (milliseconds). */
const STUCK_MS = 4000
const UNKNOWN_QUEUE_MS = 30_000
/** Others overtook it when this many times what was on its way with it was answered since. */
const OVERTAKEN_TIMES = 2
/** Or when it is silent for this many times what others took to be answered, of which so many are known. */
const TURNAROUNDS = 4
const LEAST_RESPONSES = 10
/** A copy is not clearly sooner before this (milliseconds). */
const LEAST_COPY_MS = 2000
/** A copy that holds up nothing else on its line waits for less: for what others took so many times over. */
const IDLE_TURNAROUNDS = 3
const IDLE_BODIES = 2

/** A body that stands still though nothing on the way explains it. It is sent again, over another connection. */
export class LateResponse extends StoreError {
  constructor(message: string) {
    super(STORE_ERROR.network, message)
    this.name = 'LateResponse'
  }
}

/** What is known of a body that stands still, and of others. */
export interface Standstill {
  readonly silentMs: number
  /** The same of all: no other was answered either. */
  readonly quietMs: number
  readonly sizeBytes: number
  /** On its way, its own bytes included, when it last moved. */
  readonly queueBytes: number
  /** On its way now. */
  readonly queueNowBytes: number
  /** Of others, since then. */
  readonly answeredBytes: number
  /** From the last byte of a body to its answer, milliseconds, the latest ones. */
  readonly turnaroundsMs: readonly number[]
  /** What a body of its size takes in all by the latest large one, milliseconds; null: there was none. */
  readonly bodyMs: number | null
  readonly rate: number | null
  /** Nothing else is on its way on this line, or waits to be. */
  readonly isLineIdle: boolean
}

/**
 * How long a body may stand still, milliseconds: longer than it takes all that was on its way with it to drain, at a
 * rate that may have fallen since. Where that is unknown, the next bodies soon begin beside it, and a slow line may
 * carry all of them side by side: until they overtake it, they count as well. Pure.
 */
function lateAfterMs(standstill: Standstill): number {
  const { queueBytes, queueNowBytes, answeredBytes, rate } = standstill
  const isShared = rate === null && !isOvertaken(standstill)
  return SILENCE_MS + queueMs(isShared ? Math.max(queueBytes, answeredBytes + queueNowBytes) : queueBytes, rate)
}

/**
 * Whether a body stands still for so long that others need not wait for it: it may still move, but the line has room.
 * Where nothing is known of the line, it is given the time of a slow one. Pure.
 */
export function isStandingStill({ silentMs, queueBytes, rate }: Standstill, isHanded: boolean): boolean {
  const usualMs = rate === null ? UNKNOWN_QUEUE_MS : (2 * queueBytes * 1000) / Math.max(1, rate)
  return silentMs > STUCK_MS + (isHanded ? usualMs : 0)
}

/**
 * Whether a copy of a body would clearly arrive sooner, by what others take: far more was answered since than was on
 * its way with it, so that none of it can be in its way; or it takes many times as long as all of them took. Pure.
 */
function isCopySooner(standstill: Standstill): boolean {
  const { silentMs, sizeBytes, queueBytes, answeredBytes, turnaroundsMs, rate } = standstill
  const usualMs = Math.max(...turnaroundsMs)
  if (silentMs < LEAST_COPY_MS || turnaroundsMs.length === 0) return false
  if (silentMs > 3 * usualMs && isOvertaken(standstill)) return true
  if (turnaroundsMs.length < LEAST_RESPONSES) return false
  const leftBytes = Math.max(sizeBytes, queueBytes - answeredBytes)
  return isCopyFree(standstill) || silentMs > TURNAROUNDS * usualMs + queueMs(leftBytes, rate) / 2
}

/**
 * Whether a copy takes nothing from others, and less time than the body was waited for already: all that was on its way
 * with it is answered. Pure.
 */
function isCopyFree(standstill: Standstill): boolean {
  const { silentMs, sizeBytes, queueBytes, answeredBytes, turnaroundsMs, bodyMs, isLineIdle } = standstill
  const isAlone = isLineIdle && answeredBytes > 0 && answeredBytes >= queueBytes - sizeBytes
  const waitedMs = Math.max(IDLE_TURNAROUNDS * Math.max(...turnaroundsMs), IDLE_BODIES * (bodyMs ?? Infinity))
  return isAlone && silentMs > waitedMs
}

/** Whether to give a body up. `mayBeCopied` is asked only where it still may move. Pure but for that. */
export function isLate(standstill: Standstill, mayBeCopied: () => boolean): boolean {
  if (isCopySooner(standstill) && mayBeCopied()) return true
  return standstill.silentMs > lateAfterMs(standstill) || isLeftOver(standstill)
}

/**
 * Whether a body stood still for too long since the latest answer: of what was on its way with it no more than what is
 * now can be before it. Where the rate is unknown, answers tell too little. Pure.
 */
function isLeftOver({ quietMs, queueBytes, queueNowBytes, rate }: Standstill): boolean {
  return rate !== null && quietMs > SILENCE_MS + queueMs(Math.min(queueBytes, queueNowBytes), rate)
}

function isOvertaken({ queueBytes, answeredBytes }: Standstill): boolean {
  return answeredBytes >= OVERTAKEN_TIMES * queueBytes
}

function queueMs(queueBytes: number, rate: number | null): number {
  if (rate === null) return (queueBytes * 1000) / SLOWEST_RATE
  return (QUEUE_TIMES * queueBytes * 1000) / Math.max(1, rate)
}
