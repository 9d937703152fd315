import type { KeyringState } from '../../shared/ipc/app-info.ts'

/** What becomes of a secret that is entered while no keyring can be used. */
export function unsealedWords(keyring: Exclude<KeyringState, 'ready'>, what: 'key' | 'password'): string {
  return keyring === 'none'
    ? `No keyring is available, so your ${what} won’t be saved. You’ll need to enter it again after a restart.`
    : `The keyring can’t be opened, so your ${what} won’t be saved. Unlock it to save the ${what}.`
}
