import { t } from '../../shared/language/translate.ts'
import { request } from '../bridge.ts'
import { run } from '../state/ui/messages.ts'
import { Button } from '../ui/button.tsx'
import styles from './folder-field.module.css'

export interface FolderFieldProps {
  readonly label: string
  readonly folder: string
  readonly onChange: (folder: string) => void
  /** Goes back to the default folder; left out if there is none, or it is already that one. */
  readonly onClear?: (() => void) | undefined
}

/** A field for a folder on this computer, chosen in the system's dialog. */
export function FolderField({ label, folder, onChange, onClear }: FolderFieldProps) {
  function choose(): void {
    run(
      request('dialogs:choose-folder', { defaultPath: folder === '' ? null : folder }).then((chosen) => {
        if (chosen !== null) onChange(chosen)
      }),
    )
  }
  return (
    <div role="group" aria-label={label} className={styles['row']}>
      <span className={styles['caption']}>{label}</span>
      <span className={styles['folder']} title={folder}>
        {folder}
      </span>
      {onClear !== undefined && (
        <Button look="quiet" onPress={onClear}>
          {t('sheets.folder.use-default')}
        </Button>
      )}
      <Button onPress={choose}>{t('sheets.folder.choose')}</Button>
    </div>
  )
}
