import { useState } from 'react'
import { t } from '../../shared/language/translate.ts'
import type { TransferId } from '../../shared/transfer/transfer.ts'
import { sendAction } from '../actions/rows/send-action.ts'
import { takeOff } from '../actions/rows/take-off.ts'
import { liveRow } from '../state/queue/queue-store.ts'
import { Button } from '../ui/button.tsx'
import sheetFacts from '../ui/overlays/sheet-facts.module.css'
import { Sheet, SheetButtons } from '../ui/overlays/sheet.tsx'
import { describeExpected, describeFound } from '../words/dispute-words.ts'

export interface DecideSheetProps {
  readonly id: TransferId
  readonly onClose: () => void
}

/**
 * Asks what to do with an upload that the server may have completed already, or whose key has another client's object.
 */
export function DecideSheet({ id, onClose }: DecideSheetProps) {
  const [row] = useState(() => liveRow(id))
  const error = row?.error
  const dispute = error?.dispute
  if (row === undefined || error == null || dispute === undefined) return null
  const decide = (act: () => void) => () => {
    onClose()
    act()
  }
  return (
    <Sheet title={t('queue.decide.title', { name: row.name })} width="wide" onClose={onClose}>
      <p>{t(error.code === 'conflict-on-server' ? 'queue.decide.replaced' : 'queue.decide.untold')}</p>
      <dl className={sheetFacts['facts']}>
        <dt>{t('queue.decide.there')}</dt>
        <dd>{describeFound(dispute)}</dd>
        <dt>{t('queue.decide.yours')}</dt>
        <dd>{describeExpected(dispute)}</dd>
      </dl>
      <p>{t('queue.decide.consequence')}</p>
      <SheetButtons>
        <Button look="danger" onPress={decide(() => sendAction('start-over', [id]))}>
          {t('transfer.action.upload-again')}
        </Button>
        <Button takesFocus look="solid" onPress={decide(() => takeOff([id], 'discard'))}>
          {t('queue.decide.keep')}
        </Button>
      </SheetButtons>
    </Sheet>
  )
}
