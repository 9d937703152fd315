import { useState } from 'react'
import { request } from '../bridge.ts'
import type { Entry } from '../state/objects/listing.ts'
import type { BrowseLocation } from '../state/objects/location.ts'
import { showToast } from '../state/ui-store.ts'
import { Button } from '../ui/button.tsx'
import { Choice } from '../ui/fields.tsx'
import { useSubmit } from '../ui/hooks/use-submit.ts'
import { Sheet, SheetButtons, SheetError } from '../ui/sheet.tsx'

const EXPIRIES = [
  { value: '3600', label: '1 hour' },
  { value: '86400', label: '1 day' },
  { value: '604800', label: '7 days' },
] as const

export interface LinkSheetProps {
  readonly location: BrowseLocation
  readonly entry: Entry
  readonly onClose: () => void
}

/** Copies a signed link to one object. */
export function LinkSheet({ location: { placeId, bucket }, entry: { key, name }, onClose }: LinkSheetProps) {
  const [expiry, setExpiry] = useState<(typeof EXPIRIES)[number]['value']>('86400')
  const { isBusy, error, submit } = useSubmit(onClose)
  const words = EXPIRIES.find(({ value }) => value === expiry)?.label ?? ''

  async function copy(): Promise<void> {
    const link = await request('objects:link', { placeId, bucket, key, expiresSeconds: Number(expiry) })
    await request('clipboard:write', { text: link })
    showToast(`The link to ${name} is copied. It works for ${words}.`)
  }

  return (
    <Sheet title={`Link to ${name}`} onClose={onClose}>
      <p>Anyone with the link can download the file until the link expires.</p>
      <Choice label="Expires after" value={expiry} options={EXPIRIES} onChange={setExpiry} />
      <SheetError text={error} />
      <SheetButtons>
        <Button onPress={onClose}>Cancel</Button>
        <Button takesFocus look="solid" isDisabled={isBusy} onPress={() => submit(copy)}>
          Copy link
        </Button>
      </SheetButtons>
    </Sheet>
  )
}
