import { t } from '../../shared/language/translate.ts'
import type { KeyringState } from '../../shared/ipc/app-info.ts'

/** What happens to a secret that is entered while no keyring can be used. */
export function unsealedWords(keyring: Exclude<KeyringState, 'ready'>, what: 'key' | 'password'): string {
  return t(`transfer.keyring.${keyring}`, { what })
}
