import type { KeyringState } from '../../shared/ipc/app-info.ts'

/** What becomes of a secret that is entered while no keyring can be used. */
export function unsealedWords(keyring: Exclude<KeyringState, 'ready'>, what: 'key' | 'password'): string {
  return keyring === 'none'
    ? `This session has no keyring, so the ${what} isn’t stored: after a restart you enter it again.`
    : `The keyring is locked, so a ${what} that you enter isn’t stored. Unlock it to keep the ${what}.`
}
