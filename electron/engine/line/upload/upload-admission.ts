// Which body of an upload line begins next, and which ones may go on. Pure rules for `create-upload-line.ts`.

import { MIB } from '../../../../shared/limits.ts'
import type { BodyToSend } from '../../core/upload-line.ts'
import { FIRST_WINDOW_BYTES, WINDOW_MS } from '../../flow-control/byte-window.ts'
import { isSmall, isStarved, type OnItsWay } from './known/on-its-way.ts'
import { GROWTH_MS } from './known/sent-body.ts'
import { WIDE } from './width/upload-width.ts'

/** At most this many small bodies go at a time. */
const MOST_SMALL_BODIES = 96
/** A narrow line gets its next body this long before it would run dry (milliseconds). */
const LEAST_LEAD_MS = 300
const MOST_LEAD_MS = 1500
/** On a narrow line large bodies begin at least this far apart (milliseconds). */
const APART_MS = 50
/** Unless the line needs less than this for a body: then it would stand still in between (milliseconds). */
const LONG_MS = 500
/** On a narrow line this many bodies beyond its width may wait for their answers. */
const UNANSWERED_BODIES = 2
const WIDE_SLICE_BYTES = MIB
const NARROW_SLICE_BYTES = MIB / 16
/** Under a bandwidth limit so few bodies go at a time that each takes no longer than this, if possible (seconds). */
const LIMITED_SECONDS = 4

/** The state of the line that decides about the next body. */
export interface LineView {
  /** In the order in which they began. */
  readonly members: ReadonlySet<OnItsWay>
  /** How many large bodies move at a time. */
  readonly width: number
  /** The width is given: that many bodies are on their way, whatever the line carries. */
  readonly isFixed: boolean
  /** What the line moves, bytes a second; null if unknown. */
  readonly bytesPerSecond: number | null
  /** The shortest time from the last byte of a body to its answer, milliseconds; Infinity before the first. */
  readonly turnaroundMs: number
}

/** How long ago a large body last began and was last answered, milliseconds. */
export interface Lately {
  readonly begunMs: number
  readonly answeredMs: number
}

/** Which waiting body begins next. `waiting` is in the order of `byTurn`. Pure. */
export function nextToBegin<Waiter extends { readonly body: BodyToSend }>(
  waiting: readonly Waiter[],
  line: LineView,
  { begunMs, answeredMs }: Lately,
): Waiter | undefined {
  const ready = waiting.filter(({ body }) => body.isReady())
  const isNarrow = !line.isFixed && line.width < WIDE && line.members.size > 0
  // The owner of the body that was just answered may be about to bring one that goes first, or to become ready.
  const isFirst = ready[0] === waiting[0]
  const isSoon = (body: BodyToSend): boolean =>
    (begunMs < APART_MS && takesLong(body, line)) || (!isFirst && answeredMs < APART_MS)
  // Large bodies wait for those before them.
  const mayGo = (body: BodyToSend, index: number): boolean =>
    isSmall(body) || (index === 0 && !(isNarrow && isSoon(body)))
  return ready.find(({ body }, index) => mayGo(body, index) && mayBegin(body, line))
}

function mayBegin(asked: BodyToSend, line: LineView): boolean {
  if (line.isFixed) return line.members.size < line.width
  const moving = [...line.members].filter(({ isStuck }) => !isStuck)
  // Bodies that wait for their files are not on the line: others go on, however many wait.
  if (moving.length === 0)
    return [...line.members].filter((each) => !isStarved(each)).length <= line.width + UNANSWERED_BODIES
  const rate = lower(line.bytesPerSecond, asked.limitBytesPerSecond())
  if (isSmall(asked)) {
    const small = moving.filter((each) => isSmall(each.asked))
    const window = rate === null ? FIRST_WINDOW_BYTES : (rate * WINDOW_MS) / 1000
    // A single small body may always pass the large ones.
    const fits = small.length === 0 || leftOf(small) + asked.sizeBytes <= window
    return fits && small.length < MOST_SMALL_BODIES
  }
  const large = moving.filter((each) => !isSmall(each.asked))
  const width = Math.min(line.width, mostUnderLimit(asked))
  if (width >= WIDE) return large.length < width
  if (large.length >= width + UNANSWERED_BODIES) return false
  const isDry = rate !== null && leftOf(moving) <= (rate * leadMs(line)) / 1000
  return large.filter(({ body }) => body.leftBytes > 0).length < width || isDry
}

/** Whether a body may go on: earlier ones go first, as many at a time as the width allows. Pure. */
export function isFed(member: OnItsWay, { members, width, isFixed }: LineView): boolean {
  if (isFixed || isSmall(member.asked)) return true
  let before = 0
  for (const each of members) {
    if (each === member) return true
    if (each.body.isHanded || each.isStuck || isSmall(each.asked)) continue
    before += 1
    if (before >= width) return false
  }
  return true
}

/**
 * How much of a body to give to its connection at a time (bytes): little where others may have to go first, or where
 * few bodies are on their way and each must show how fast it is. Pure.
 */
export function sliceBytes({ members, width, isFixed }: LineView): number {
  return isFixed || Math.min(width, members.size) >= WIDE ? WIDE_SLICE_BYTES : NARROW_SLICE_BYTES
}

/** Small bodies first, then by rank. Pure. */
export function byTurn(a: BodyToSend, b: BodyToSend): number {
  return Number(isSmall(b)) - Number(isSmall(a)) || a.rank - b.rank
}

/** The line is busy with this body for long enough that the next one need not follow at once. */
function takesLong({ sizeBytes }: BodyToSend, { bytesPerSecond: rate }: LineView): boolean {
  return rate === null || (sizeBytes * 1000) / rate > LONG_MS
}

/** Bytes of these bodies that, as far as known, have not arrived yet. */
function leftOf(members: Iterable<OnItsWay>): number {
  let bytes = 0
  for (const { body } of members) bytes += body.leftBytes
  return bytes
}

/**
 * How long before the line would run dry the next body begins: it takes a moment to get going, longer the further away
 * the service is, and what drained while buffers grew is unknown. The first body has the line to itself almost to its
 * end: until it is answered, the service keeps nothing of what was sent.
 */
function leadMs({ turnaroundMs }: LineView): number {
  if (turnaroundMs === Infinity) return LEAST_LEAD_MS
  return GROWTH_MS + Math.min(MOST_LEAD_MS, Math.max(LEAST_LEAD_MS, turnaroundMs))
}

/** The most bodies under a bandwidth limit: more would only end later, and a pause loses what is on its way. */
function mostUnderLimit({ sizeBytes, limitBytesPerSecond }: BodyToSend): number {
  const limit = limitBytesPerSecond()
  return limit === null ? Infinity : Math.max(1, Math.floor((limit * LIMITED_SECONDS) / sizeBytes))
}

function lower(rate: number | null, limit: number | null): number | null {
  return rate === null || limit === null ? rate : Math.min(rate, limit)
}
