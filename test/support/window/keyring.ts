import type { ElectronApplication } from 'playwright-core'

/** A keyring in place of the system's, which a test machine hasn't: it turns texts around while it is unlocked. */
export function useKeyring(app: ElectronApplication, isUnlocked: boolean): Promise<void> {
  return app.evaluate(({ safeStorage }, unlocked) => {
    const reversed = (text: string) => [...text].reverse().join('')
    const required = () => {
      if (!unlocked) throw new Error('It is locked')
    }
    Object.assign(safeStorage, {
      getSelectedStorageBackend: () => 'gnome_libsecret',
      isEncryptionAvailable: () => unlocked,
      encryptString(text: string) {
        required()
        return Buffer.from(`sealed:${reversed(text)}`)
      },
      decryptString(bytes: Buffer) {
        required()
        return reversed(bytes.toString().slice('sealed:'.length))
      },
    })
  }, isUnlocked)
}
