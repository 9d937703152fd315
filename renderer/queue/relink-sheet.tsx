import { useState } from 'react'
import { joined } from '../../shared/language/joined.ts'
import { t } from '../../shared/language/translate.ts'
import type { TransferId } from '../../shared/transfer/transfer.ts'
import { linkProblem } from '../actions/links/link-text.ts'
import { request } from '../bridge.ts'
import { ClipboardLink } from '../sheet-parts/clipboard-link.tsx'
import { liveRow } from '../state/queue/queue-store.ts'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/fields/fields.tsx'
import { useSubmit } from '../ui/hooks/use-submit.ts'
import { Sheet, SheetButtons, SheetError, SheetForm } from '../ui/overlays/sheet.tsx'
import { amountFacts } from '../words/row-words.ts'

export interface RelinkSheetProps {
  readonly id: TransferId
  readonly onClose: () => void
}

/** Asks for a fresh link for a download whose own has expired. */
export function RelinkSheet({ id, onClose }: RelinkSheetProps) {
  const [text, setText] = useState('')
  const { isBusy, error, submit } = useSubmit(onClose)
  const [row] = useState(() => liveRow(id))
  const url = text.trim()
  const problem = url === '' ? null : linkProblem(url)
  const isReady = url !== '' && problem === null && !isBusy
  return (
    <Sheet
      title={row === undefined ? t('queue.relink.title-unnamed') : t('queue.relink.title', { name: row.name })}
      onClose={onClose}
    >
      <SheetForm
        onSubmit={() => {
          if (isReady) submit(() => request('downloads:relink', { id, url }))
        }}
      >
        <p>
          {row !== undefined && row.confirmedBytes > 0
            ? t('queue.relink.stays', { amount: joined(...amountFacts(row)) })
            : t('queue.relink.goes-on')}
        </p>
        <TextField
          takesFocus
          isCode
          label={t('queue.relink.link')}
          value={text}
          placeholder={SCHEME}
          error={problem}
          onChange={setText}
        />
        <ClipboardLink text={text} onUse={setText} />
        <SheetError text={error} />
        <SheetButtons>
          <Button onPress={onClose}>{t('common.cancel')}</Button>
          <Button type="submit" look="solid" isDisabled={!isReady}>
            {t('queue.relink.continue')}
          </Button>
        </SheetButtons>
      </SheetForm>
    </Sheet>
  )
}

const SCHEME = 'https://'
