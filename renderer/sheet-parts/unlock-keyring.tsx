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
      title: 'Restart Sluice to unlock the keyring?',
      body: 'The system asks for the keyring’s password when Sluice starts. Transfers go on where they were.',
      safeLabel: 'Not now',
      confirmLabel: 'Restart',
      onConfirm: () => {
        run(restartApp())
      },
    })
  }

  return <Button onPress={() => run(unlock())}>Unlock keyring…</Button>
}
