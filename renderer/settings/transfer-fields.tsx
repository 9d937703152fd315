import { t } from '../../shared/language/translate.ts'
import { CLEARS_DONE } from '../../shared/settings.ts'
import { FolderField } from '../sheet-parts/folder-field.tsx'
import { useApp } from '../state/app-store.ts'
import { Checkbox, Choice } from '../ui/fields/fields.tsx'
import type { SettingsEditor } from './use-settings.ts'

/** Settings of transfers, from when they are added until they leave the list. */
export function TransferFields({ settings, set }: Pick<SettingsEditor, 'settings' | 'set'>) {
  const { downloadsFolder, startsAdded, clearsDone } = settings
  const systemFolder = useApp((state) => state.info?.downloadsFolder ?? '')
  return (
    <>
      <Checkbox isSelected={startsAdded} onChange={(is) => set({ startsAdded: is })}>
        {t('settings.starts-added')}
      </Checkbox>
      <Choice
        label={t('settings.clears-done')}
        value={clearsDone}
        options={CLEARS_DONE.map((value) => ({ value, label: t(`settings.clears-done.${value}`) }))}
        onChange={(chosen) => set({ clearsDone: chosen })}
      />
      <FolderField
        label={t('settings.downloads-folder')}
        folder={downloadsFolder ?? systemFolder}
        onChange={(chosen) => set({ downloadsFolder: chosen })}
      />
    </>
  )
}
