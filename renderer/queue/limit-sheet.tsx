import { useState } from 'react'
import { rateUnit } from '../../shared/format/format-amount.ts'
import { t } from '../../shared/language/translate.ts'
import { rowName } from '../../shared/transfer/row-name.ts'
import type { TransferId } from '../../shared/transfer/transfer.ts'
import { requestForRows } from '../bridge.ts'
import { parseRate, rateProblem, rateText } from '../words/rate-text.ts'
import { liveRow } from '../state/queue/queue-store.ts'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/fields/fields.tsx'
import { Sheet, SheetButtons, SheetError, SheetForm } from '../ui/overlays/sheet.tsx'
import { useSubmit } from '../ui/hooks/use-submit.ts'

export interface LimitSheetProps {
  readonly ids: readonly TransferId[]
  readonly onClose: () => void
}

/** Limits the speed of transfers, each by itself. */
export function LimitSheet({ ids, onClose }: LimitSheetProps) {
  const [limits] = useState(() => limitsOf(ids))
  const [first = null, ...others] = limits
  const kept = others.length > 0 ? null : first
  const [typed, setTyped] = useState<string | null>(null)
  const text = typed ?? rateText(kept)
  // Limits that differ stay as they are until something is typed.
  const isLeft = others.length > 0 && typed === null
  const { isBusy, error, submit } = useSubmit(onClose)
  const { isValid, bytesPerSecond } = parseRate(text, kept)
  const count = ids.length
  const only = count === 1 ? liveRow(ids[0] ?? '') : undefined
  return (
    <Sheet
      title={
        only === undefined ? t('queue.limit.title-many', { count }) : t('queue.limit.title', { name: rowName(only) })
      }
      onClose={onClose}
    >
      <SheetForm
        onSubmit={() => {
          if (!isValid || isBusy) return
          if (isLeft) return onClose()
          submit(() => requestForRows('transfers:set-limit', { ids, limitBytesPerSecond: bytesPerSecond }))
        }}
      >
        <TextField
          takesFocus
          label={t('queue.limit.rate', { count, unit: rateUnit().name })}
          value={text}
          placeholder={t(isLeft ? 'queue.limit.differ' : 'transfer.limit-off')}
          hint={t('queue.limit.hint')}
          error={isValid ? null : rateProblem()}
          onChange={setTyped}
        />
        <SheetError text={error} />
        <SheetButtons>
          <Button onPress={onClose}>{t('common.cancel')}</Button>
          <Button type="submit" look="solid" isDisabled={!isValid || isBusy}>
            {t('queue.limit.set')}
          </Button>
        </SheetButtons>
      </SheetForm>
    </Sheet>
  )
}

/** The distinct limits of the transfers; null: no limit. */
function limitsOf(ids: readonly TransferId[]): readonly (number | null)[] {
  return [...new Set(ids.map((id) => liveRow(id)?.limitBytesPerSecond ?? null))]
}
