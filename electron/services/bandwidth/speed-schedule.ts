import type { SpeedSchedule } from '../../../shared/settings.ts'

/** A schedule repeats after so many days. */
const WEEK_DAYS = 7

interface Span {
  readonly startMs: number
  readonly endMs: number
}

/**
 * Whether a time of the schedule is now, local time. A time that ends before it begins, or with it, ends the next day.
 * What the clock skips in spring begins as much later; what comes twice in autumn is meant the first time. Pure.
 */
export function isScheduled(schedule: SpeedSchedule, nowMs: number): boolean {
  return spansAround(schedule, nowMs).some(({ startMs, endMs }) => startMs <= nowMs && nowMs < endMs)
}

/** When that changes next, milliseconds since the epoch; null: never. Pure. */
export function nextChange(schedule: SpeedSchedule, nowMs: number): number | null {
  const isNow = isScheduled(schedule, nowMs)
  const times = spansAround(schedule, nowMs)
    .flatMap(({ startMs, endMs }) => [startMs, endMs])
    .filter((atMs) => atMs > nowMs)
    .sort((one, other) => one - other)
  return times.find((atMs) => isScheduled(schedule, atMs) !== isNow) ?? null
}

/** From yesterday, whose time may still last, to a week from now. */
function spansAround({ isOn, fromMinute, toMinute, weekdays }: SpeedSchedule, nowMs: number): readonly Span[] {
  if (!isOn) return []
  const overnight = toMinute <= fromMinute ? 1 : 0
  const days = Array.from({ length: WEEK_DAYS + 2 }, (_, index) => index - 1)
  return days
    .filter((day) => weekdays.includes(new Date(localTime(nowMs, day, 0)).getDay()))
    .map((day) => ({
      startMs: localTime(nowMs, day, fromMinute),
      endMs: localTime(nowMs, day + overnight, toMinute),
    }))
    .filter(({ startMs, endMs }) => startMs < endMs)
}

/** A minute of a day that is so many days from now, by the clock on the wall. */
function localTime(nowMs: number, days: number, minute: number): number {
  const day = new Date(nowMs)
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() + days, 0, minute).getTime()
}
