import type { SafeStorage } from 'electron'
import type { KeyringState } from '../../../shared/ipc/app-info.ts'
import { STORE_ERROR, StoreError } from '../../stores/port/store-error.ts'

/** Seals secrets with the system's keyring. Where that can't be used, nothing is sealed and secrets stay in memory. */
export interface CredentialStore {
  /** Call it each time instead of keeping the answer: a person may unlock the keyring at any moment. */
  state(): KeyringState
  /** Returns base64, or null when secrets can't be protected now. */
  seal(secret: string): string | null
  /** Returns null when the secret can't be opened, for example while the keyring is locked or after it was reset. */
  open(sealed: string): string | null
}

/** The error for a sealed secret whose keyring can't be opened now. No request may be sent without it. */
export function keyringLocked(): StoreError {
  return new StoreError(STORE_ERROR.keyringLocked, 'The keyring can’t be opened now', { maybeProcessed: false })
}

/** The error for a secret that isn't on this computer; `words` are for the log. No request may be sent without it. */
export function secretUnknown(words: string): StoreError {
  return new StoreError('InvalidAccessKeyId', words, { maybeProcessed: false })
}

export function createCredentialStore(
  safeStorage: Pick<
    SafeStorage,
    'isEncryptionAvailable' | 'getSelectedStorageBackend' | 'encryptString' | 'decryptString'
  >,
  platform: NodeJS.Platform,
): CredentialStore {
  let isRefused = false
  const state = (): KeyringState => {
    // macOS always has a keychain, but asking about it prompts the person at once, so wait until there is a secret.
    if (platform === 'darwin') return isRefused ? 'locked' : 'ready'
    // On Linux without a keyring, Electron falls back to a password that is the same everywhere ("basic_text").
    const isPlain = platform === 'linux' && ['basic_text', 'unknown'].includes(safeStorage.getSelectedStorageBackend())
    if (isPlain) return 'none'
    return safeStorage.isEncryptionAvailable() ? 'ready' : 'locked'
  }
  /** Returns null when the keyring refuses. On macOS `state` then says `locked` until an attempt succeeds. */
  function attempt(action: () => string): string | null {
    if (state() === 'none' || (platform !== 'darwin' && state() === 'locked')) return null
    try {
      const result = action()
      isRefused = false
      return result
    } catch {
      isRefused = true
      return null
    }
  }
  return {
    state,
    seal: (secret) => attempt(() => safeStorage.encryptString(secret).toString('base64')),
    open: (sealed) => attempt(() => safeStorage.decryptString(Buffer.from(sealed, 'base64'))),
  }
}
