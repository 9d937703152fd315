import type { ClearsDone } from '../../shared/settings.ts'
import { FolderField } from '../sheet-parts/folder-field.tsx'
import { useApp } from '../state/app-store.ts'
import { Checkbox, Choice } from '../ui/fields.tsx'
import type { SettingsEditor } from './use-settings.ts'

const CLEARING: readonly { readonly value: ClearsDone; readonly label: string }[] = [
  { value: 'never', label: 'Never' },
  { value: 'day', label: 'After a day' },
  { value: 'week', label: 'After a week' },
  { value: 'closing', label: 'When Sluice closes' },
]

/** What becomes of transfers from when they are added until they leave the list. */
export function TransferFields({ settings, set }: Pick<SettingsEditor, 'settings' | 'set'>) {
  const { downloadsFolder, startsAdded, clearsDone } = settings
  const systemFolder = useApp((state) => state.info?.downloadsFolder ?? '')
  return (
    <>
      <Checkbox isSelected={startsAdded} onChange={(is) => set({ startsAdded: is })}>
        Start transfers when added
      </Checkbox>
      <Choice
        label="Remove finished transfers from the list"
        value={clearsDone}
        options={CLEARING}
        onChange={(chosen) => set({ clearsDone: chosen })}
      />
      <FolderField
        label="Save downloads to"
        folder={downloadsFolder ?? systemFolder}
        onChange={(chosen) => set({ downloadsFolder: chosen })}
      />
    </>
  )
}
