import { useState } from 'react'
import { Form } from 'react-aria-components'
import type { Settings } from '../../shared/settings.ts'
import { request } from '../bridge.ts'
import { run } from '../state/run.ts'
import { appStore, changeSettings, useApp } from '../state/app-store.ts'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/fields.tsx'
import { Sheet, SheetButtons, SheetError } from '../ui/sheet.tsx'
import { useSubmit } from '../ui/use-submit.ts'
import styles from './settings-sheet.module.css'
import { draftOf, parseDraft, type SettingsDraft } from './settings-draft.ts'

/** The few settings there are; everything has a default that works. */
export function SettingsSheet({ onClose }: { readonly onClose: () => void }) {
  const [draft, setDraft] = useState<SettingsDraft>(() => draftOf(appStore.getState().settings))
  const { isBusy, error, submit } = useSubmit(onClose)
  const { settings, errors } = parseDraft(draft)

  function set(changes: Partial<SettingsDraft>): void {
    setDraft((before) => ({ ...before, ...changes }))
  }

  return (
    <Sheet title="Settings" onClose={onClose}>
      <Form
        className={styles['form'] ?? ''}
        onSubmit={(event) => {
          event.preventDefault()
          if (settings !== null && !isBusy) submit(() => changeSettings(settings))
        }}
      >
        <div className={styles['pair']}>
          <TextField
            takesFocus
            label="Transfers at a time"
            value={draft.activeTransfers}
            error={errors.activeTransfers ?? null}
            onChange={(activeTransfers) => set({ activeTransfers })}
          />
          <TextField
            label="Connections for each"
            value={draft.connectionsPerTransfer}
            placeholder="Automatic"
            hint="Empty: as many as pay off."
            error={errors.connectionsPerTransfer ?? null}
            onChange={(connectionsPerTransfer) => set({ connectionsPerTransfer })}
          />
        </div>
        <TextField
          label="Speed limit in MB/s"
          value={draft.limit}
          placeholder="Off"
          hint="For all transfers together. Empty: no limit."
          error={errors.limit ?? null}
          onChange={(limit) => set({ limit })}
        />
        <div className={styles['pair']}>
          <TextField
            label="Of this for uploads"
            value={draft.uploadLimit}
            placeholder="All"
            error={errors.uploadLimit ?? null}
            onChange={(uploadLimit) => set({ uploadLimit })}
          />
          <TextField
            label="Of this for downloads"
            value={draft.downloadLimit}
            placeholder="All"
            error={errors.downloadLimit ?? null}
            onChange={(downloadLimit) => set({ downloadLimit })}
          />
        </div>
        <FolderField folder={draft.downloadsFolder} onChange={(downloadsFolder) => set({ downloadsFolder })} />
        <SheetError text={error} />
        <SheetButtons>
          <Button onPress={onClose}>Cancel</Button>
          <Button type="submit" look="solid" isDisabled={settings === null || isBusy}>
            Save
          </Button>
        </SheetButtons>
      </Form>
    </Sheet>
  )
}

interface FolderFieldProps {
  readonly folder: Settings['downloadsFolder']
  readonly onChange: (folder: Settings['downloadsFolder']) => void
}

function FolderField({ folder, onChange }: FolderFieldProps) {
  const systemFolder = useApp((state) => state.info?.downloadsFolder ?? '')
  function choose(): void {
    run(
      request('dialogs:choose-folder', { defaultPath: folder }).then((chosen) => {
        if (chosen !== null) onChange(chosen)
      }),
    )
  }
  return (
    <div className={styles['folderRow']}>
      <span className={styles['caption']}>Downloads go to</span>
      <span className={styles['folder']}>{folder ?? systemFolder}</span>
      <Button onPress={choose}>Choose…</Button>
    </div>
  )
}
