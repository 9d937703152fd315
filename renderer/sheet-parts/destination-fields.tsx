import { t } from '../../shared/language/translate.ts'
import styles from './destination-fields.module.css'
import type { Destination } from '../state/ui/dialog.ts'
import { cx } from '../ui/cx.ts'
import { ConflictChoice } from './conflict-choice.tsx'
import type { SpaceNeeded } from './disk-space.ts'
import { FolderField } from './folder-field.tsx'

export interface DestinationFieldsProps {
  readonly destination: Destination & { readonly directory: string }
  /** Goes back to the folder in the settings; left out if it is already that one. */
  readonly onUseDefault?: (() => void) | undefined
  readonly room: SpaceNeeded | null
  readonly onChange: (destination: Destination) => void
}

/** The fields for the folder that downloads go to, and for what happens when a name is taken. */
export function DestinationFields({ destination, onUseDefault, room, onChange }: DestinationFieldsProps) {
  const { directory } = destination
  return (
    <div className={styles['destination']}>
      <FolderField
        label={t('sheets.save-to')}
        folder={directory}
        onChange={(chosen) => {
          onChange({ ...destination, directory: chosen })
        }}
        onClear={onUseDefault}
      />
      {room !== null && (
        <p role="status" className={cx(styles['room'], room.isTooLittle && styles['tooLittle'])}>
          {room.text}
        </p>
      )}
      <ConflictChoice
        direction="download"
        label={t('sheets.conflict.title')}
        value={destination.onConflict}
        onChange={(onConflict) => {
          onChange({ ...destination, onConflict })
        }}
      />
    </div>
  )
}
