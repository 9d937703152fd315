import { useEffect, useState } from 'react'
import type { Place } from '../../shared/place.ts'
import type { UnfinishedUpload } from '../../shared/unfinished-upload.ts'
import { listen, request } from '../bridge.ts'
import { formatProgress, plural } from '../format.ts'
import { perform } from '../actions.ts'
import { Button } from '../ui/button.tsx'
import { Sheet, SheetButtons, SheetError } from '../ui/sheet.tsx'
import { useSubmit } from '../ui/use-submit.ts'
import styles from './unfinished-sheet.module.css'
import { nameOf, UnfinishedTable } from './unfinished-table.tsx'
import { useUnfinished, type UnfinishedListing } from './use-unfinished.ts'

export interface UnfinishedSheetProps {
  readonly place: Place
  readonly onClose: () => void
}

/** The uploads of a place that were begun and never completed, with what can be done about each. */
export function UnfinishedSheet({ place, onClose }: UnfinishedSheetProps) {
  const [version, setVersion] = useState(0)
  const listing = useUnfinished(place.id, version)
  const { isBusy, error, submit } = useSubmit(() => undefined)
  const [finishing, setFinishing] = useState<UnfinishedUpload | null>(null)

  function finish(upload: UnfinishedUpload): void {
    if (upload.ours !== null) {
      perform('resume', [upload.ours.transferId])
      perform('retry', [upload.ours.transferId])
      onClose()
      return
    }
    setFinishing(upload)
    submit(async () => {
      try {
        if (await request('uploads:finish', nameOf(place, upload))) onClose()
      } finally {
        setFinishing(null)
      }
    })
  }

  return (
    <Sheet title={`Unfinished uploads in ${place.name}`} width="broad" onClose={onClose}>
      <p className={styles['intro']}>Their parts take up space on the server until they are finished or discarded.</p>
      <UnfinishedTable place={place} listing={listing} isBusy={isBusy} onFinish={finish} />
      <p className={styles['note']} aria-live="polite">
        {finishing === null ? summaryOf(listing) : <Comparing uploadId={finishing.uploadId} name={finishing.key} />}
      </p>
      <SheetError text={error} />
      <SheetButtons>
        <Button onPress={() => setVersion(version + 1)}>Refresh</Button>
        <Button look="solid" onPress={onClose}>
          Close
        </Button>
      </SheetButtons>
    </Sheet>
  )
}

function summaryOf({ uploads, isListing, error }: UnfinishedListing): string {
  if (uploads.length === 0) return ''
  const count = plural(uploads.length, 'unfinished upload')
  if (error !== null) return `${count} shown. ${error}`
  return isListing ? `${count}, still listing…` : count
}

function Comparing({ uploadId, name }: { readonly uploadId: string; readonly name: string }) {
  const [amount, setAmount] = useState('')
  useEffect(
    () =>
      listen('uploads:comparing', ({ id, comparedBytes, totalBytes }) => {
        if (id === uploadId) setAmount(` · ${formatProgress(comparedBytes, totalBytes)}`)
      }),
    [uploadId],
  )
  return (
    <>
      Comparing the parts of {name} with the file{amount}
    </>
  )
}
