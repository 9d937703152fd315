import type { AnyLanguageTag } from '../language/languages.ts'
import type { System } from '../language/translate.ts'

/** Whether secrets can be kept: `none` where this session has no keyring (safeStorage backend `basic_text`). */
export type KeyringState = 'ready' | 'locked' | 'none'

/** What the window needs to know of the app and the computer. */
export interface AppInfo {
  readonly version: string
  readonly platform: System
  readonly downloadsFolder: string
  readonly keyring: KeyringState
  /** The one that the system asks for, of those that there are. */
  readonly systemLanguage: AnyLanguageTag
}
