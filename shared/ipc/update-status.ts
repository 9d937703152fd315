// What is known about newer versions of Sluice itself.

/** Why a newer version could not be found, downloaded or installed. */
export type UpdateProblem =
  /** The server could not be reached, or has no list. */
  | 'unreachable'
  /** The proxy wants a name and password, or others than it was given. */
  | 'proxy-sign-in'
  /** The proxy's password is in a keyring that can't be opened now. */
  | 'keyring-locked'
  /** The makers of Sluice have not signed the server's answer. */
  | 'not-genuine'
  /** The downloaded file is not the one that was signed. */
  | 'damaged'
  | 'no-room'
  | 'not-downloaded'
  /** The system did not let it replace this version, which was then started again. */
  | 'not-installed'

export type UpdateStep =
  /** No check was made yet. */
  | { readonly kind: 'idle' }
  | { readonly kind: 'checking' }
  | { readonly kind: 'newest' }
  | { readonly kind: 'offered'; readonly version: string }
  /** `fraction` is 0 to 1. */
  | { readonly kind: 'downloading'; readonly version: string; readonly fraction: number }
  /** It is downloaded and verified; a restart installs it. */
  | { readonly kind: 'ready'; readonly version: string }
  /** `version` is the one that could not be downloaded; null: the failure was another. */
  | { readonly kind: 'failed'; readonly problem: UpdateProblem; readonly version: string | null }

export interface UpdateStatus {
  /** The host that is asked for newer versions; null: this copy was built without one. */
  readonly host: string | null
  /** Whether Sluice can replace itself by a newer version; otherwise its package manager or a person does. */
  readonly installs: boolean
  /** Whether to ask the person, once, if Sluice may check by itself. */
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
/** What a person can ask for. `restart` installs the version that is ready. */
export type UpdateAction = (typeof UPDATE_ACTIONS)[number]
