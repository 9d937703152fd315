import type { EnqueueDownloads } from '../../shared/ipc-contract.ts'
import { request } from '../bridge.ts'
import { run } from '../state/run.ts'
import { Button } from '../ui/button.tsx'
import { Choice } from '../ui/fields.tsx'
import { cx } from '../ui/cx.ts'
import type { Room } from './room.ts'
import styles from './download-sheet.module.css'

export interface Destination {
  /** Null: the default folder. */
  readonly directory: string | null
  readonly onConflict: EnqueueDownloads['onConflict']
}

const CONFLICTS: readonly { readonly value: Destination['onConflict']; readonly label: string }[] = [
  { value: 'keep-both', label: 'Keep both' },
  { value: 'replace', label: 'Replace it' },
  { value: 'skip', label: 'Skip it' },
  { value: 'skip-identical', label: 'Skip it if identical, else keep both' },
]

export interface DestinationFieldsProps {
  readonly destination: Destination
  readonly room: Room | null
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
      <Choice
        label="If a file of that name is already there"
        value={destination.onConflict}
        options={CONFLICTS}
        onChange={(onConflict) => {
          onChange({ ...destination, onConflict })
        }}
      />
    </div>
  )
}
