import type { SafeStorage } from 'electron'

/** Seals secrets with the system's keyring. Where there is none, nothing is sealed: secrets stay in memory. */
export interface CredentialStore {
  /** False when this session's keyring can't protect a secret from other programs. */
  readonly isProtected: boolean
  /** Base64, or null where secrets can't be protected. */
  seal(secret: string): string | null
  /** Null when it can't be opened here any more, for example after the keyring was reset. */
  open(sealed: string): string | null
}

export function createCredentialStore(
  safeStorage: Pick<
    SafeStorage,
    'isEncryptionAvailable' | 'getSelectedStorageBackend' | 'encryptString' | 'decryptString'
  >,
  platform: NodeJS.Platform,
): CredentialStore {
  // On Linux without a keyring Electron falls back to a password that is the same everywhere ("basic_text").
  const isPlain = platform === 'linux' && ['basic_text', 'unknown'].includes(safeStorage.getSelectedStorageBackend())
  const isProtected = !isPlain && safeStorage.isEncryptionAvailable()
  return {
    isProtected,
    seal: (secret) => (isProtected ? safeStorage.encryptString(secret).toString('base64') : null),
    open: (sealed) => {
      if (!isProtected) return null
      try {
        return safeStorage.decryptString(Buffer.from(sealed, 'base64'))
      } catch {
        return null
      }
    },
  }
}
