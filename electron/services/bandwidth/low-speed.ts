import { z } from 'zod'
import type { SpeedSchedule } from '../../../shared/settings.ts'
import type { LowSpeedState } from '../../../shared/ipc/desktop-requests.ts'
import type { NamedValues } from '../persistence/named-values.ts'
import { isScheduled, nextChange } from './speed-schedule.ts'
import { LOOK_EVERY_MS, type WaitClock } from '../scheduling/wait-until.ts'

const NAME = 'low-speed'
/** A person's choice. `untilMs` is when the schedule takes over again; null: the choice holds until they change it. */
const kept = z.strictObject({ isOn: z.boolean(), untilMs: z.int().nullable() }).nullable()
type Choice = z.infer<typeof kept>

/** Whether the second, lower limit is in force, because a person turned it on or because the schedule says so. */
export interface LowSpeed {
  readonly state: () => LowSpeedState
  /** A person turns it on or off. If there is a schedule, their choice holds until the schedule's next change. */
  readonly turn: (isOn: boolean) => Promise<void>
  /** Follows another schedule. A choice that a person made under the previous one no longer holds. */
  readonly reschedule: (schedule: SpeedSchedule) => Promise<void>
  /** Calls `listener` on every change of state from now on. */
  readonly follow: (listener: () => void) => void
  /** Reads the clock again, for example after the machine slept. */
  readonly check: () => void
  readonly close: () => void
}

export interface LowSpeedDeps {
  readonly values: NamedValues
  readonly clock: WaitClock
  readonly schedule: SpeedSchedule
  readonly onError: (what: string, error: unknown) => void
}

/** Opens low speed with the choice that a person last made. */
export async function openLowSpeed({ values, clock, schedule: first, onError }: LowSpeedDeps): Promise<LowSpeed> {
  let schedule = first
  let choice: Choice = (await values.read(NAME, kept)) ?? null
  let shown = stateAt(schedule, choice, clock.nowMs())
  let waiting = new AbortController()
  const listeners: (() => void)[] = []

  /** Works out the current state, and again when it may change or the clock may have been set. */
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

/** Shortens a choice that, because the clock was set back, would outlast the schedule's next change. Pure. */
function untilNextChange(schedule: SpeedSchedule, choice: Choice, nowMs: number): Choice {
  const nextMs = nextChange(schedule, nowMs)
  if (choice?.untilMs == null || nextMs === null || choice.untilMs <= nextMs) return choice
  return { ...choice, untilMs: nextMs }
}

/** The state at a given time, and until when it holds. Pure. */
function stateAt(schedule: SpeedSchedule, choice: Choice, nowMs: number): LowSpeedState {
  if (choice !== null && (choice.untilMs === null || nowMs < choice.untilMs)) return choice
  return { isOn: isScheduled(schedule, nowMs), untilMs: nextChange(schedule, nowMs) }
}
