import type { SpeedSchedule } from '../../../shared/settings.ts'

/** The number of days after which a schedule repeats. */
const WEEK_DAYS = 7

interface Span {
  readonly startMs: number
  readonly endMs: number
}

/**
 * Whether `nowMs` falls within a span of the schedule, in local time. A span whose end is not after its start ends the
 * next day. A start that the clock skips in spring is as much later; a time that comes twice in autumn means the first.
 * Pure.
 */
export function isScheduled(schedule: SpeedSchedule, nowMs: number): boolean {
  return spansAround(schedule, nowMs).some(({ startMs, endMs }) => startMs <= nowMs && nowMs < endMs)
}

/** When `isScheduled` changes next, in milliseconds since the epoch; null: never. Pure. */
export function nextChange(schedule: SpeedSchedule, nowMs: number): number | null {
  const isNow = isScheduled(schedule, nowMs)
  const times = spansAround(schedule, nowMs)
    .flatMap(({ startMs, endMs }) => [startMs, endMs])
    .filter((atMs) => atMs > nowMs)
    .sort((one, other) => one - other)
  return times.find((atMs) => isScheduled(schedule, atMs) !== isNow) ?? null
}

/** The spans from yesterday's, which may still last, to those of a week from now. */
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

/** The given minute of the day that is `days` from today, by the local clock. */
function localTime(nowMs: number, days: number, minute: number): number {
  const day = new Date(nowMs)
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() + days, 0, minute).getTime()
}
