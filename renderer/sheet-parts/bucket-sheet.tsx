import { useState } from 'react'
import { t } from '../../shared/language/translate.ts'
import { request } from '../bridge.ts'
import { useBuckets } from './use-buckets.ts'
import { keepBucket } from '../state/ui/list-view.ts'
import type { BucketDialog } from '../state/ui/dialog.ts'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/fields/fields.tsx'
import { useSubmit } from '../ui/hooks/use-submit.ts'
import { Sheet, SheetButtons, SheetError, SheetForm } from '../ui/overlays/sheet.tsx'
import { bucketProblem } from '../words/place-words.ts'

export interface BucketSheetProps {
  readonly dialog: BucketDialog
  readonly onClose: () => void
}

/** Asks for another bucket for transfers whose own doesn't exist. */
export function BucketSheet({ dialog, onClose }: BucketSheetProps) {
  const { ids, name, placeId } = dialog
  const [typed, setTyped] = useState(dialog.bucket)
  const buckets = useBuckets(placeId)
  const { isBusy, error, submit } = useSubmit(onClose)
  const bucket = typed.trim()
  const problem = bucketProblem(bucket)
  const isReady = bucket !== '' && bucket !== dialog.bucket && problem === null && !isBusy

  async function send(): Promise<void> {
    await request('transfers:rebucket', { ids, bucket })
    keepBucket(placeId, bucket)
  }

  return (
    <Sheet title={t('places.bucket.choose', { count: ids.length, name })} onClose={onClose}>
      <SheetForm
        onSubmit={() => {
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
      </SheetForm>
    </Sheet>
  )
}
