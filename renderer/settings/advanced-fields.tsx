import styles from './settings-sheet.module.css'
import { COUNT, COUNT_OR_AUTOMATIC, PART_SIZE } from './typed-values.ts'
import type { SettingsEditor } from './use-settings.ts'
import { ValueField } from './value-field.tsx'

/** What works best left alone. */
export function AdvancedFields({ settings, set }: Pick<SettingsEditor, 'settings' | 'set'>) {
  return (
    <>
      <div className={styles['pair']}>
        <ValueField
          label="Transfers at a time"
          value={settings.activeTransfers}
          writing={COUNT}
          hint="Fewer on a slow connection."
          onChange={(count) => set({ activeTransfers: count })}
        />
        <ValueField
          label="Connections per transfer"
          value={settings.connectionsPerTransfer}
          writing={COUNT_OR_AUTOMATIC}
          placeholder="Automatic"
          hint="Leave empty to choose automatically."
          onChange={(count) => set({ connectionsPerTransfer: count })}
        />
      </div>
      <ValueField
        label="Part size of uploads in MiB"
        value={settings.partSizeBytes}
        writing={PART_SIZE}
        placeholder="Automatic"
        hint="Leave empty to choose automatically. Uploads that have begun keep theirs."
        onChange={(bytes) => set({ partSizeBytes: bytes })}
      />
    </>
  )
}
