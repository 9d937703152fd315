/** What the window needs to know of the app and the computer. */
export interface AppInfo {
  readonly version: string
  readonly platform: 'linux' | 'darwin' | 'win32'
  readonly downloadsFolder: string
  /** False when this system's keyring can't protect secrets (safeStorage backend `basic_text`). */
  readonly secretsProtected: boolean
}
