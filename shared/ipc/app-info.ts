import type { AnyLanguageTag } from '../language/languages.ts'
import type { System } from '../language/translate.ts'

/** Whether secrets can be kept. `none`: this session has no keyring (safeStorage backend `basic_text`). */
export type KeyringState = 'ready' | 'locked' | 'none'

/** What the window needs to know about the app and the computer. */
export interface AppInfo {
  readonly version: string
  readonly platform: System
  readonly downloadsFolder: string
  readonly keyring: KeyringState
  /** The available language that best fits the system's. */
  readonly systemLanguage: AnyLanguageTag
}
