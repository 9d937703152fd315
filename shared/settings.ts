import { LANGUAGE_TAGS } from './language/language.ts'
import { DEFAULT_ACTIVE_TRANSFERS } from './limits.ts'

/** Bandwidth limits in bytes a second; null: none. */
export interface RateLimits {
  readonly totalBytesPerSecond: number | null
  readonly uploadBytesPerSecond: number | null
  readonly downloadBytesPerSecond: number | null
}

export const NO_LIMITS: RateLimits = {
  totalBytesPerSecond: null,
  uploadBytesPerSecond: null,
  downloadBytesPerSecond: null,
}

/** What a person can set. Every setting has a default that works. */
export interface Settings {
  /** How many transfers run at a time, 1 to MAX_AT_A_TIME. */
  readonly activeTransfers: number
  /** Connections of one transfer, 1 to MAX_AT_A_TIME; null: as many as make it faster. */
  readonly connectionsPerTransfer: number | null
  /** Bytes a second for all transfers together; null: no limit. At least 1,024, like those below. */
  readonly limitBytesPerSecond: number | null
  /** Bytes a second for all uploads together, within the limit for all transfers; null: no limit of their own. */
  readonly uploadLimitBytesPerSecond: number | null
  readonly downloadLimitBytesPerSecond: number | null
  /** The limit for all transfers together at low speed, bytes a second. */
  readonly lowSpeedBytesPerSecond: number
  readonly lowSpeedSchedule: SpeedSchedule
  /** The part size of new uploads, bytes; null: chosen by file size and line. */
  readonly partSizeBytes: number | null
  /** The folder that downloads go to; null: the system's. */
  readonly downloadsFolder: string | null
  /** What closing the window does while transfers are active. Quitting outright is always possible. */
  readonly whenClosed: WhenClosed
  readonly appearance: Appearance
  readonly language: LanguageChoice
  readonly units: Units
  /** Whether to notify of what finished, and of what needs a person, while the window is not in focus. */
  readonly notifiesDone: boolean
  readonly notifiesAttention: boolean
  /** Whether added transfers start in their turn; otherwise they are paused until a person resumes them. */
  readonly startsAdded: boolean
  /** When finished rows leave the list. Files are never touched. */
  readonly clearsDone: ClearsDone
  /** Whether there is an icon in the menu bar (macOS) or the notification area. */
  readonly showsTray: boolean
  /** Whether the app starts at login, without a window. The system's own record decides. */
  readonly opensAtLogin: boolean
  /** Whether to check for a newer Sluice at each start and every day; null: the person was not asked yet. */
  readonly checksForUpdates: boolean | null
  readonly updateChannel: UpdateChannel
}

/** When low speed turns itself on and off. */
export interface SpeedSchedule {
  readonly isOn: boolean
  /** Minutes after midnight, local time, below 1,440. A time that ends before it begins ends the next day. */
  readonly fromMinute: number
  readonly toMinute: number
  /** The days on which it begins; 0 is Sunday. */
  readonly weekdays: readonly number[]
}

export const UPDATE_CHANNELS = ['stable', 'beta'] as const
/** Which versions are offered; `beta` includes the stable ones. */
export type UpdateChannel = (typeof UPDATE_CHANNELS)[number]

export const CLEARS_DONE = ['never', 'day', 'week', 'closing'] as const
export type ClearsDone = (typeof CLEARS_DONE)[number]

export const WHEN_CLOSED = ['ask', 'quit', 'keep-running'] as const
export type WhenClosed = (typeof WHEN_CLOSED)[number]

export const APPEARANCES = ['system', 'light', 'dark'] as const
export type Appearance = (typeof APPEARANCES)[number]

export const LANGUAGE_CHOICES = ['system', ...LANGUAGE_TAGS] as const
export type LanguageChoice = (typeof LANGUAGE_CHOICES)[number]

export const UNIT_CHOICES = ['decimal', 'binary'] as const
/** The units of sizes and speeds: powers of 1,000 (kB, MB) or of 1,024 (KiB, MiB). */
export type Units = (typeof UNIT_CHOICES)[number]

/** The limits in force. Low speed never raises a limit. */
export function limitsOf(settings: Settings, isLowSpeed: boolean): RateLimits {
  const { limitBytesPerSecond: limit, lowSpeedBytesPerSecond: low } = settings
  return {
    totalBytesPerSecond: isLowSpeed ? Math.min(low, limit ?? low) : limit,
    uploadBytesPerSecond: settings.uploadLimitBytesPerSecond,
    downloadBytesPerSecond: settings.downloadLimitBytesPerSecond,
  }
}

export const DEFAULT_SETTINGS: Settings = {
  activeTransfers: DEFAULT_ACTIVE_TRANSFERS,
  connectionsPerTransfer: null,
  limitBytesPerSecond: null,
  uploadLimitBytesPerSecond: null,
  downloadLimitBytesPerSecond: null,
  lowSpeedBytesPerSecond: 1_000_000,
  lowSpeedSchedule: { isOn: false, fromMinute: 9 * 60, toMinute: 17 * 60, weekdays: [1, 2, 3, 4, 5] },
  partSizeBytes: null,
  downloadsFolder: null,
  whenClosed: 'ask',
  appearance: 'system',
  language: 'system',
  units: 'decimal',
  notifiesDone: true,
  notifiesAttention: true,
  startsAdded: true,
  clearsDone: 'never',
  showsTray: true,
  opensAtLogin: false,
  checksForUpdates: null,
  updateChannel: 'stable',
}
