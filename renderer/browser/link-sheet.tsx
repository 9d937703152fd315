import { useState } from 'react'
import { t } from '../../shared/language/translate.ts'
import { request } from '../bridge.ts'
import { placeById, useApp } from '../state/app-store.ts'
import type { Entry } from '../state/objects/listing.ts'
import type { BrowseLocation } from '../state/objects/location.ts'
import { showToast } from '../state/ui/messages.ts'
import { Button } from '../ui/button.tsx'
import { Choice } from '../ui/fields/fields.tsx'
import { useSubmit } from '../ui/hooks/use-submit.ts'
import { Sheet, SheetButtons, SheetError } from '../ui/overlays/sheet.tsx'

/** How long links may be valid, seconds. */
const EXPIRIES = ['3600', '86400', '604800'] as const
type Expiry = (typeof EXPIRIES)[number]

export interface LinkSheetProps {
  readonly location: BrowseLocation
  readonly entry: Entry
  readonly onClose: () => void
}

/** Copies a signed link to one object. */
export function LinkSheet({ location: { placeId, bucket }, entry: { key, name }, onClose }: LinkSheetProps) {
  const [expiry, setExpiry] = useState<Expiry>('86400')
  const isDemo = useApp((state) => placeById(state, placeId)?.isDemo === true)
  const { isBusy, error, submit } = useSubmit(onClose)

  async function copy(): Promise<void> {
    const link = await request('objects:link', { placeId, bucket, key, expiresSeconds: Number(expiry) })
    await request('clipboard:write', { text: link })
    showToast(() =>
      isDemo ? t('browser.link.copied-demo', { name }) : t('browser.link.copied', { name, time: timeOf(expiry) }),
    )
  }

  return (
    <Sheet title={t('browser.link', { name })} onClose={onClose}>
      <p>{t(isDemo ? 'browser.link.for-demo' : 'browser.link.for-anyone')}</p>
      <Choice
        label={t('browser.link.expires')}
        value={expiry}
        options={EXPIRIES.map((value) => ({ value, label: timeOf(value) }))}
        onChange={setExpiry}
      />
      <SheetError text={error} />
      <SheetButtons>
        <Button onPress={onClose}>{t('common.cancel')}</Button>
        <Button takesFocus look="solid" isDisabled={isBusy} onPress={() => submit(copy)}>
          {t('browser.link.copy')}
        </Button>
      </SheetButtons>
    </Sheet>
  )
}

function timeOf(expiry: Expiry): string {
  const hours = Number(expiry) / 3600
  return hours < 24 ? t('format.spoken-hours', { count: hours }) : t('format.days', { count: hours / 24 })
}
