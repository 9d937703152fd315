import { useState } from 'react'
import { t } from '../../shared/language/translate.ts'
import { bucketNameFault, isBucketName, reservedIn } from '../../shared/place/bucket-name.ts'
import type { Place } from '../../shared/place/place.ts'
import { createBucket } from '../actions/create-bucket.ts'
import { useBrowse } from '../state/browse-store.ts'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/fields/fields.tsx'
import { useSubmit } from '../ui/hooks/use-submit.ts'
import { Sheet, SheetButtons, SheetError, SheetForm } from '../ui/overlays/sheet.tsx'

export interface NewBucketSheetProps {
  readonly place: Place
  readonly onClose: () => void
}

/** Asks for the name of a new bucket. */
export function NewBucketSheet({ place, onClose }: NewBucketSheetProps) {
  const [typed, setTyped] = useState('')
  const name = typed.trim()
  const { isBusy, error, submit } = useSubmit(onClose)
  const isTaken = useBrowse(({ listing }) => listing.entries.some(({ kind, key }) => kind === 'bucket' && key === name))
  const isUsable = isBucketName(name) && !isTaken
  return (
    <Sheet title={t('browser.new-bucket.title')} onClose={onClose}>
      <SheetForm
        onSubmit={() => {
          if (isUsable && !isBusy) submit(() => createBucket(place.id, name))
        }}
      >
        <TextField
          takesFocus
          isCode
          label={t('browser.name')}
          value={typed}
          error={isTaken ? t('services.bucket.own', { bucket: name }) : problemOf(name)}
          hint={t('browser.new-bucket.hint')}
          onChange={setTyped}
        />
        {place.region !== '' && <p>{t('browser.new-bucket.region', { region: place.region })}</p>}
        <SheetError text={error} />
        <SheetButtons>
          <Button onPress={onClose}>{t('common.cancel')}</Button>
          <Button type="submit" look="solid" isDisabled={!isUsable || isBusy}>
            {t('browser.new-bucket.create')}
          </Button>
        </SheetButtons>
      </SheetForm>
    </Sheet>
  )
}

/** Why a bucket can't be called what has been typed so far; null: it can, or could with more. */
function problemOf(name: string): string | null {
  const fault = bucketNameFault(name)
  return fault === null ? null : t(`browser.new-bucket.${fault}`, { part: reservedIn(name) ?? '' })
}
