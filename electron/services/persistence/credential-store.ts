import type { SafeStorage } from 'electron'
import type { KeyringState } from '../../../shared/ipc/app-info.ts'
import { STORE_ERROR, StoreError } from '../../stores/port/store-error.ts'

/** Seals secrets with the system's keyring. Where it can't be used, nothing is sealed: secrets stay in memory. */
export interface CredentialStore {
  /** Asked anew each time: a person may unlock a keyring at any time. */
  state(): KeyringState
  /** Base64, or null where secrets can't be protected now. */
  seal(secret: string): string | null
  /** Null when it can't be opened here now, for example while the keyring is locked, or after it was reset. */
  open(sealed: string): string | null
}

/** A secret was sealed, and its keyring can't be opened now: nothing may be asked without it. */
export function keyringLocked(): StoreError {
  return new StoreError(STORE_ERROR.keyringLocked, 'The keyring can’t be opened now', { maybeProcessed: false })
}

/** A secret is not on this computer, which the words say for the log: nothing may be asked without it. */
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
    // macOS has a keychain, and asks a person at once for leave to use it: not before there is a secret to keep.
    if (platform === 'darwin') return isRefused ? 'locked' : 'ready'
    // On Linux without a keyring Electron falls back to a password that is the same everywhere ("basic_text").
    const isPlain = platform === 'linux' && ['basic_text', 'unknown'].includes(safeStorage.getSelectedStorageBackend())
    if (isPlain) return 'none'
    return safeStorage.isEncryptionAvailable() ? 'ready' : 'locked'
  }
  /** Null where the keyring refuses, which `state` tells from then on until it gives something again. */
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
