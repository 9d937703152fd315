import { t } from '../../shared/language/translate.ts'
import { FieldRow } from '../ui/fields/fields.tsx'
import { COUNT, COUNT_OR_AUTOMATIC, PART_SIZE } from './typed-values.ts'
import type { SettingsEditor } from './use-settings.ts'
import { ValueField } from './value-field.tsx'

/** Settings that are best left alone. */
export function AdvancedFields({ settings, set }: Pick<SettingsEditor, 'settings' | 'set'>) {
  return (
    <>
      <FieldRow>
        <ValueField
          label={t('settings.active-transfers')}
          value={settings.activeTransfers}
          writing={COUNT}
          hint={t('settings.active-transfers.hint')}
          onChange={(count) => set({ activeTransfers: count })}
        />
        <ValueField
          label={t('settings.connections')}
          value={settings.connectionsPerTransfer}
          writing={COUNT_OR_AUTOMATIC}
          placeholder={t('settings.automatic')}
          hint={t('settings.connections.hint')}
          onChange={(count) => set({ connectionsPerTransfer: count })}
        />
      </FieldRow>
      <ValueField
        label={t('settings.part-size')}
        value={settings.partSizeBytes}
        writing={PART_SIZE}
        placeholder={t('settings.automatic')}
        hint={t('settings.part-size.hint')}
        onChange={(bytes) => set({ partSizeBytes: bytes })}
      />
    </>
  )
}
