import { request } from '../bridge.ts'
import styles from './destination-fields.module.css'
import { run, type Destination } from '../state/ui-store.ts'
import { Button } from '../ui/button.tsx'
import { cx } from '../ui/cx.ts'
import { ConflictChoice } from './conflict-choice.tsx'
import type { SpaceNeeded } from './disk-space.ts'

export interface DestinationFieldsProps {
  readonly destination: Destination
  readonly room: SpaceNeeded | null
  readonly onChange: (destination: Destination) => void
}

/** The folder that downloads go to, and what happens when a name is taken. */
export function DestinationFields({ destination, room, onChange }: DestinationFieldsProps) {
  const { directory } = destination
  function choose(): void {
    run(
      request('dialogs:choose-folder', { defaultPath: directory }).then((chosen) => {
        if (chosen !== null) onChange({ ...destination, directory: chosen })
      }),
    )
  }
  return (
    <div className={styles['destination']}>
      <div className={styles['folderRow']}>
        <span className={styles['caption']}>Save to</span>
        <span className={styles['folder']} title={directory ?? ''}>
          {directory}
        </span>
        <Button onPress={choose}>Choose…</Button>
      </div>
      {room !== null && (
        <p role="status" className={cx(styles['room'], room.isTooLittle && styles['tooLittle'])}>
          {room.text}
        </p>
      )}
      <ConflictChoice
        label="If a file with that name already exists"
        value={destination.onConflict}
        onChange={(onConflict) => {
          onChange({ ...destination, onConflict })
        }}
      />
    </div>
  )
}
