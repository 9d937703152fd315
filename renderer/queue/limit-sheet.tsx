import { useState } from 'react'
import { Form } from 'react-aria-components'
import type { TransferId } from '../../shared/transfer/transfer.ts'
import { request } from '../bridge.ts'
import { plural } from '../words/format.ts'
import { parseRate, rateProblem, rateText } from '../words/rate-text.ts'
import { liveRow } from '../state/queue-store.ts'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/fields.tsx'
import { Sheet, SheetButtons, SheetError } from '../ui/sheet.tsx'
import { useSubmit } from '../ui/hooks/use-submit.ts'

export interface LimitSheetProps {
  readonly ids: readonly TransferId[]
  readonly onClose: () => void
}

/** Limits the speed of some transfers, of each by itself. */
export function LimitSheet({ ids, onClose }: LimitSheetProps) {
  const [text, setText] = useState(() => commonLimit(ids))
  const { isBusy, error, submit } = useSubmit(onClose)
  const { isValid, bytesPerSecond } = parseRate(text)
  const name = ids.length === 1 ? liveRow(ids[0] ?? '')?.name : undefined
  return (
    <Sheet title={`Limit ${name ?? plural(ids.length, 'transfer')}`} onClose={onClose}>
      <Form
        onSubmit={(event) => {
          event.preventDefault()
          if (!isValid || isBusy) return
          submit(() => request('transfers:set-limit', { ids, limitBytesPerSecond: bytesPerSecond }))
        }}
      >
        <TextField
          takesFocus
          label={ids.length === 1 ? 'Speed limit in MB/s' : 'Speed limit of each in MB/s'}
          value={text}
          placeholder="Off"
          hint="Leave empty for no limit of its own. The overall limit still applies."
          error={isValid ? null : rateProblem()}
          onChange={setText}
        />
        <SheetError text={error} />
        <SheetButtons>
          <Button onPress={onClose}>Cancel</Button>
          <Button type="submit" look="solid" isDisabled={!isValid || isBusy}>
            Set limit
          </Button>
        </SheetButtons>
      </Form>
    </Sheet>
  )
}

/** The limit that all of them have; empty when they differ. */
function commonLimit(ids: readonly TransferId[]): string {
  const limits = new Set(ids.map((id) => rateText(liveRow(id)?.limitBytesPerSecond ?? null)))
  const [first = ''] = limits
  return limits.size === 1 ? first : ''
}
