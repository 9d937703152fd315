import type { TransferId } from '../transfer/transfer.ts'
import type { MenuFacts } from './menu-commands.ts'
import type { UpdateAction, UpdateStatus } from './update-status.ts'

export const WHEN_DONE = ['nothing', 'sleep', 'quit', 'update'] as const
/** What happens once all transfers are done; `update` installs the newer Sluice that is ready. */
export type WhenDone = (typeof WHEN_DONE)[number]

export interface WhenDoneCountdown {
  readonly what: Exclude<WhenDone, 'nothing'>
  /** Milliseconds since the epoch. */
  readonly endsAtMs: number
  /** How many transfers need a person and stay as they are. */
  readonly attention: number
}

/** Whether the second, lower limit is in force. */
export interface LowSpeedState {
  readonly isOn: boolean
  /** When the schedule changes it, milliseconds since the epoch; null: it doesn’t. */
  readonly untilMs: number | null
}

/** What will happen by itself. */
export interface Plans {
  /** When a timed pause ends, milliseconds since the epoch; null: there is none. */
  readonly pausedUntilMs: number | null
  readonly lowSpeed: LowSpeedState
  readonly whenDone: WhenDone
  /** Null: nothing is about to happen. */
  readonly countdown: WhenDoneCountdown | null
  /** Downloads to open once they are done. */
  readonly opensWhenDone: readonly TransferId[]
}

/** Requests about the desktop around the window. */
export interface DesktopRequests {
  /** Tells main which commands of the menu bar are available now. */
  'menu:facts': { request: MenuFacts; response: null }
  'plans:get': { request: null; response: Plans }
  /** Ends a timed pause at once. */
  'plans:resume-now': { request: null; response: null }
  'plans:set-low-speed': { request: { readonly isOn: boolean }; response: null }
  'plans:set-when-done': { request: { readonly what: WhenDone }; response: null }
  'plans:open-when-done': { request: { readonly ids: readonly TransferId[]; readonly opens: boolean }; response: null }
  /** The license notices of third-party software in Sluice; null: this copy came without them. */
  'app:licenses': { request: null; response: string | null }
  /** What is known about newer versions, and what a person wants done about them. */
  'updates:get': { request: null; response: UpdateStatus }
  'updates:act': { request: { readonly action: UpdateAction }; response: null }
  /** Writes a report about Sluice itself to a file that the person chooses; path null: they chose none. */
  'report:save': { request: { readonly withNames: boolean }; response: { readonly path: string | null } }
}

export const DESKTOP_REQUESTS = {
  'menu:facts': true,
  'plans:get': true,
  'plans:resume-now': true,
  'plans:set-low-speed': true,
  'plans:set-when-done': true,
  'plans:open-when-done': true,
  'app:licenses': true,
  'updates:get': true,
  'updates:act': true,
  'report:save': true,
} satisfies Record<keyof DesktopRequests, true>
