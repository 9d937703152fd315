import { t } from '../../shared/language/translate.ts'
import { restartApp, unlockKeyring } from '../state/app-store.ts'
import { ask, run } from '../state/ui-store.ts'
import { Button } from '../ui/button.tsx'

export interface UnlockKeyringProps {
  /** The keyring can be used. */
  readonly onUnlocked: () => void
}

/** Looks for the keyring again, or else restarts the app: the system asks for a keyring's password when one starts. */
export function UnlockKeyring({ onUnlocked }: UnlockKeyringProps) {
  async function unlock(): Promise<void> {
    if (await unlockKeyring()) return onUnlocked()
    ask({
      title: t('uploads.keyring.restart-title'),
      body: t('uploads.keyring.restart-body'),
      safeLabel: t('uploads.keyring.not-now'),
      confirmLabel: t('uploads.keyring.restart'),
      onConfirm: () => {
        run(restartApp())
      },
    })
  }

  return <Button onPress={() => run(unlock())}>{t('uploads.keyring.unlock')}</Button>
}
