import { useState } from 'react'
import { Form } from 'react-aria-components'
import { t } from '../../shared/language/translate.ts'
import { rowName } from '../../shared/transfer/row-name.ts'
import type { TransferId, TransferRow } from '../../shared/transfer/transfer.ts'
import { request } from '../bridge.ts'
import { useBuckets } from '../sheet-parts/use-buckets.ts'
import { liveRow, queueStore } from '../state/queue/queue-store.ts'
import { keepBucket } from '../state/ui-store.ts'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/fields/fields.tsx'
import { useSubmit } from '../ui/hooks/use-submit.ts'
import { Sheet, SheetButtons, SheetError } from '../ui/overlays/sheet.tsx'
import { bucketProblem } from '../words/place-words.ts'

export interface BucketSheetProps {
  /** A transfer whose bucket isn't there. */
  readonly id: TransferId
  readonly onClose: () => void
}

/** Asks for another bucket, for a transfer and all others that failed for the same one. */
export function BucketSheet({ id, onClose }: BucketSheetProps) {
  const [row] = useState(() => liveRow(id))
  const [rows] = useState(() => (row === undefined ? [] : alikeOf(row)))
  const [typed, setTyped] = useState(row?.bucket ?? '')
  const buckets = useBuckets(row?.placeId ?? null)
  const { isBusy, error, submit } = useSubmit(onClose)
  const bucket = typed.trim()
  const problem = bucketProblem(bucket)
  const isReady = bucket !== '' && bucket !== row?.bucket && problem === null && !isBusy
  const count = rows.length

  async function send(): Promise<void> {
    await request('transfers:rebucket', { ids: rows.map((each) => each.id), bucket })
    if (row !== undefined && row.placeId !== null) keepBucket(row.placeId, bucket)
  }

  return (
    <Sheet title={t('places.bucket.choose', { count, name: row === undefined ? '' : rowName(row) })} onClose={onClose}>
      <Form
        onSubmit={(event) => {
          event.preventDefault()
          if (isReady) submit(send)
        }}
      >
        <TextField
          isCode
          takesFocus
          label={t('places.bucket')}
          value={typed}
          error={problem}
          suggestions={buckets}
          onChange={setTyped}
        />
        <SheetError text={error} />
        <SheetButtons>
          <Button onPress={onClose}>{t('common.cancel')}</Button>
          <Button type="submit" look="solid" isDisabled={!isReady}>
            {t('common.continue')}
          </Button>
        </SheetButtons>
      </Form>
    </Sheet>
  )
}

/** The transfers that failed for the same bucket. */
function alikeOf({ placeId, bucket }: TransferRow): readonly TransferRow[] {
  const rows = queueStore.getState().order.flatMap((id) => liveRow(id) ?? [])
  return rows.filter(
    (row) =>
      row.placeId === placeId &&
      row.bucket === bucket &&
      row.status === 'failed' &&
      row.error?.code === 'no-such-bucket',
  )
}
