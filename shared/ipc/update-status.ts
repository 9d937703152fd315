// What is known of newer versions of Sluice itself.

/** Why a newer version could not be looked for or had. */
export type UpdateProblem =
  /** The server could not be asked, or has no list. */
  | 'unreachable'
  /** The proxy wants a name and password, or others than it was given. */
  | 'proxy-sign-in'
  /** The proxy's password is in a keyring that can't be opened now. */
  | 'keyring-locked'
  /** The makers of Sluice have not signed what it says. */
  | 'not-genuine'
  /** What came is not what was signed. */
  | 'damaged'
  | 'no-room'
  | 'not-downloaded'
  /** The system did not let it take the place of this version, which was started again. */
  | 'not-installed'

export type UpdateStep =
  /** Nothing was looked for yet. */
  | { readonly kind: 'idle' }
  | { readonly kind: 'checking' }
  | { readonly kind: 'newest' }
  | { readonly kind: 'offered'; readonly version: string }
  /** `fraction` is 0 to 1. */
  | { readonly kind: 'downloading'; readonly version: string; readonly fraction: number }
  /** It is here and whole; a restart installs it. */
  | { readonly kind: 'ready'; readonly version: string }
  /** With a version: that could not be downloaded. */
  | { readonly kind: 'failed'; readonly problem: UpdateProblem; readonly version: string | null }

export interface UpdateStatus {
  /** Host that is asked for newer versions; null: this copy was built without one. */
  readonly host: string | null
  /** Whether Sluice can put a newer version in its own place; else its package manager or a person does. */
  readonly installs: boolean
  /** Whether the person is to be asked, once, if Sluice may look by itself. */
  readonly asksConsent: boolean
  readonly step: UpdateStep
  /** A person asked for this step and waits for its outcome. */
  readonly isAskedFor: boolean
  /** When the server last answered, milliseconds since the epoch; null: not since the start. */
  readonly checkedAtMs: number | null
}

export const NO_UPDATES: UpdateStatus = {
  host: null,
  installs: false,
  asksConsent: false,
  step: { kind: 'idle' },
  isAskedFor: false,
  checkedAtMs: null,
}

export const UPDATE_ACTIONS = ['check', 'download', 'stop', 'restart'] as const
/** What a person can have done. `restart` installs what is ready. */
export type UpdateAction = (typeof UPDATE_ACTIONS)[number]
