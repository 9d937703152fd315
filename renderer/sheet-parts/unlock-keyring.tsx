// The button that unlocks a locked keyring.

import { t } from '../../shared/language/translate.ts'
import { openKeyring } from '../actions/transfer-actions.ts'
import { Button } from '../ui/button.tsx'

export interface UnlockKeyringProps {
  /** Called when the keyring can be used. */
  readonly onUnlocked?: () => void
}

export function UnlockKeyring({ onUnlocked }: UnlockKeyringProps) {
  return <Button onPress={() => openKeyring(onUnlocked)}>{t('transfer.action.unlock-keyring')}</Button>
}
