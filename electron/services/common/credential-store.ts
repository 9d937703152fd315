import type { SafeStorage } from 'electron'
import type { KeyringState } from '../../../shared/ipc/app-info.ts'

/** Seals secrets with the system's keyring. Where it can't be used, nothing is sealed: secrets stay in memory. */
export interface CredentialStore {
  /** Asked anew each time: a person may unlock a keyring at any time. */
  state(): KeyringState
  /** Base64, or null where secrets can't be protected now. */
  seal(secret: string): string | null
  /** Null when it can't be opened here now, for example while the keyring is locked, or after it was reset. */
  open(sealed: string): string | null
}

export function createCredentialStore(
  safeStorage: Pick<
    SafeStorage,
    'isEncryptionAvailable' | 'getSelectedStorageBackend' | 'encryptString' | 'decryptString'
  >,
  platform: NodeJS.Platform,
): CredentialStore {
  const state = (): KeyringState => {
    // On Linux without a keyring Electron falls back to a password that is the same everywhere ("basic_text").
    const isPlain = platform === 'linux' && ['basic_text', 'unknown'].includes(safeStorage.getSelectedStorageBackend())
    if (isPlain) return 'none'
    return safeStorage.isEncryptionAvailable() ? 'ready' : 'locked'
  }
  return {
    state,
    seal: (secret) => (state() === 'ready' ? safeStorage.encryptString(secret).toString('base64') : null),
    open: (sealed) => {
      if (state() !== 'ready') return null
      try {
        return safeStorage.decryptString(Buffer.from(sealed, 'base64'))
      } catch {
        return null
      }
    },
  }
}
