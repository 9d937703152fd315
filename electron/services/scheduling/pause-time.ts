/** How long a person can pause everything. */
export type PauseTime = 'quarter' | 'hour' | 'tomorrow'

const MINUTE_MS = 60_000
/** When tomorrow's pause ends: before most people begin to work. */
const MORNING_HOUR = 8
/** The hour until which a night belongs to the day before. */
const NIGHT_ENDS_HOUR = 4

/**
 * When a pause that begins now ends, milliseconds since the epoch. Tomorrow begins at 8 in the morning, local time; for
 * a person who is still up at night it means the coming morning.
 */
export function endOfPause(time: PauseTime, nowMs: number): number {
  if (time === 'quarter') return nowMs + 15 * MINUTE_MS
  if (time === 'hour') return nowMs + 60 * MINUTE_MS
  const morning = new Date(nowMs)
  if (morning.getHours() >= NIGHT_ENDS_HOUR) morning.setDate(morning.getDate() + 1)
  return morning.setHours(MORNING_HOUR, 0, 0, 0)
}
