import { z } from 'zod'
import type { SpeedSchedule } from '../../../shared/settings.ts'
import type { LowSpeedState } from '../../../shared/ipc/desktop-requests.ts'
import type { NamedValues } from '../persistence/named-values.ts'
import { isScheduled, nextChange } from './speed-schedule.ts'
import { LOOK_EVERY_MS, type WaitClock } from '../scheduling/wait-until.ts'

const NAME = 'low-speed'
/** What a person chose, and when the schedule decides again; null: not before the person does. */
const kept = z.strictObject({ isOn: z.boolean(), untilMs: z.int().nullable() }).nullable()
type Choice = z.infer<typeof kept>

/** Whether the second, lower limit holds: because a person wants it, or by the schedule. */
export interface LowSpeed {
  readonly state: () => LowSpeedState
  /** A person turns it on or off. Where there is a schedule, that holds until it would have changed anyway. */
  readonly turn: (isOn: boolean) => Promise<void>
  /** Goes by another schedule; what a person chose by the one before is over. */
  readonly reschedule: (schedule: SpeedSchedule) => Promise<void>
  /** Tells of every other state from now on. */
  readonly follow: (listener: () => void) => void
  /** Looks at the clock, as after a sleep. */
  readonly check: () => void
  readonly close: () => void
}

export interface LowSpeedDeps {
  readonly values: NamedValues
  readonly clock: WaitClock
  readonly schedule: SpeedSchedule
  readonly onError: (what: string, error: unknown) => void
}

/** Opens it as a person left it. */
export async function openLowSpeed({ values, clock, schedule: first, onError }: LowSpeedDeps): Promise<LowSpeed> {
  let schedule = first
  let choice: Choice = (await values.read(NAME, kept)) ?? null
  let shown = stateAt(schedule, choice, clock.nowMs())
  let waiting = new AbortController()
  const listeners: (() => void)[] = []

  /** Looks what holds now, and again when that may change, or the clock may have been set. */
  function look(): void {
    waiting.abort()
    const lasting = untilNextChange(schedule, choice, clock.nowMs())
    if (lasting !== choice) keep(lasting).catch((error: unknown) => onError('low speed', error))
    const state = stateAt(schedule, choice, clock.nowMs())
    const isOther = state.isOn !== shown.isOn || state.untilMs !== shown.untilMs
    shown = state
    if (isOther) listeners.forEach((tell) => tell())
    if (state.untilMs === null) return
    waiting = new AbortController()
    const { signal } = waiting
    clock
      .sleep(Math.min(state.untilMs - clock.nowMs(), LOOK_EVERY_MS), signal)
      .then(look)
      .catch((error: unknown) => {
        if (error !== signal.reason) onError('low speed', error)
      })
  }

  function keep(next: Choice): Promise<void> {
    choice = next
    return values.write(NAME, next)
  }

  async function choose(next: Choice): Promise<void> {
    const written = keep(next)
    look()
    await written
  }

  look()
  return {
    state: () => shown,
    turn: (isOn) => choose({ isOn, untilMs: nextChange(schedule, clock.nowMs()) }),
    reschedule: async (next) => {
      if (JSON.stringify(next) === JSON.stringify(schedule)) return
      schedule = next
      await choose(null)
    },
    follow: (listener) => void listeners.push(listener),
    check: look,
    close: () => waiting.abort(),
  }
}

/** A choice of a time that, by a clock that was set back, is later than the schedule's next change lasts until that. Pure. */
function untilNextChange(schedule: SpeedSchedule, choice: Choice, nowMs: number): Choice {
  const nextMs = nextChange(schedule, nowMs)
  if (choice?.untilMs == null || nextMs === null || choice.untilMs <= nextMs) return choice
  return { ...choice, untilMs: nextMs }
}

/** What holds at a time, and until when. Pure. */
function stateAt(schedule: SpeedSchedule, choice: Choice, nowMs: number): LowSpeedState {
  if (choice !== null && (choice.untilMs === null || nowMs < choice.untilMs)) return choice
  return { isOn: isScheduled(schedule, nowMs), untilMs: nextChange(schedule, nowMs) }
}
