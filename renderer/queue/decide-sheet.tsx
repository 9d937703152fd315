import { useState } from 'react'
import type { TransferId } from '../../shared/transfer/transfer.ts'
import { perform } from '../actions/transfer-actions.ts'
import { liveRow } from '../state/queue-store.ts'
import { Button } from '../ui/button.tsx'
import { Sheet, SheetButtons } from '../ui/sheet.tsx'
import styles from './decide-sheet.module.css'
import { describeExpected, describeFound } from '../words/dispute-words.ts'

export interface DecideSheetProps {
  readonly id: TransferId
  readonly onClose: () => void
}

/**
 * Asks what is to become of an upload that the server may have made already, or another client's object has the name of.
 */
export function DecideSheet({ id, onClose }: DecideSheetProps) {
  const [row] = useState(() => liveRow(id))
  const error = row?.error
  const dispute = error?.dispute
  if (row === undefined || error == null || dispute === undefined) return null
  const decide = (action: 'remove' | 'start-over') => () => {
    onClose()
    perform(action, [id])
  }
  return (
    <Sheet title={`Which version of ${row.name} should be kept?`} width="wide" onClose={onClose}>
      <p>{error.code === 'conflict-on-server' ? REPLACED : UNTOLD}</p>
      <dl className={styles['facts']}>
        <dt>On the server</dt>
        <dd>{describeFound(dispute)}</dd>
        <dt>Your file</dt>
        <dd>{describeExpected(dispute)}</dd>
      </dl>
      <p>{CONSEQUENCE}</p>
      <SheetButtons>
        <Button look="danger" onPress={decide('start-over')}>
          Upload again
        </Button>
        <Button takesFocus look="solid" onPress={decide('remove')}>
          Keep what is there
        </Button>
      </SheetButtons>
    </Sheet>
  )
}

const REPLACED = 'Another file has this name on the server now. It was left as it is.'
const UNTOLD = 'The server may already have this file, but nothing it says proves it.'
const CONSEQUENCE =
  'Keeping it takes this upload off the list; your file stays where it is. Uploading again sends the whole file and replaces what is there.'
