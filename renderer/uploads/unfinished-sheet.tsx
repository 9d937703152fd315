import { useEffect, useState } from 'react'
import { joined } from '../../shared/language/joined.ts'
import { t } from '../../shared/language/translate.ts'
import { isUnderWay, type UnfinishedUpload } from '../../shared/ipc/unfinished-upload.ts'
import type { Place } from '../../shared/place/place.ts'
import { goesOn } from '../../shared/transfer/transfer-group.ts'
import { perform } from '../actions/transfer-actions.ts'
import { request } from '../bridge.ts'
import { onStatusChanges } from '../state/queue/queue-store.ts'
import { openDialog } from '../state/ui/open-dialogs.ts'
import { run } from '../state/ui/messages.ts'
import { uiStore } from '../state/ui/ui-store.ts'
import { Button } from '../ui/button.tsx'
import { useSubmit } from '../ui/hooks/use-submit.ts'
import { Sheet, SheetButtons, SheetError } from '../ui/overlays/sheet.tsx'
import { Comparing } from './comparing.tsx'
import styles from './unfinished-sheet.module.css'
import { ListingWait, nameOf, UnfinishedTable } from './unfinished-table.tsx'
import { useUnfinished, type UnfinishedListing } from './use-unfinished.ts'

export interface UnfinishedSheetProps {
  readonly place: Place
  readonly bucket: string
  readonly onClose: () => void
}

/** The uploads in a place that were begun and never completed, with the actions for each. */
export function UnfinishedSheet({ place, bucket, onClose }: UnfinishedSheetProps) {
  const [version, setVersion] = useState(0)
  const listing = useUnfinished(place.id, bucket, version)
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
        if (await request('uploads:finish', nameOf({ ...place, bucket }, upload))) onClose()
      } finally {
        setFinishing(null)
      }
    })
  }

  const refresh = () => setVersion((before) => before + 1)
  useOwnChanges(listing.uploads, refresh)
  useRefusals(refresh)

  function stop(): void {
    if (finishing !== null) run(request('uploads:stop-comparing', { id: finishing.uploadId }))
  }

  function close(): void {
    stop()
    onClose()
  }

  return (
    <Sheet title={t('uploads.unfinished.title', { place: place.name })} width="broad" onClose={close}>
      <p className={styles['intro']}>{t('uploads.unfinished.intro')}</p>
      <UnfinishedTable
        place={{ ...place, bucket }}
        listing={listing}
        isBusy={isBusy}
        onFinish={finish}
        onDiscarded={refresh}
      />
      <div className={styles['note']} aria-live="polite">
        {finishing === null ? summaryOf(listing) : <Comparing uploadId={finishing.uploadId} name={finishing.key} />}
      </div>
      {listing.uploads.length > 0 && listing.wait !== null && (
        <ListingWait wait={listing.wait} placeName={place.name} />
      )}
      <SheetError text={error} />
      <SheetButtons>
        {finishing === null ? (
          <>
            {listing.error !== null && !place.isDemo && (
              <Button onPress={() => openDialog({ kind: 'add-place', place })}>{t('commands.name.edit-place')}</Button>
            )}
            <Button onPress={refresh}>{t('uploads.unfinished.refresh')}</Button>
          </>
        ) : (
          <Button onPress={stop}>{t('uploads.unfinished.stop-comparing')}</Button>
        )}
        <Button takesFocus look="solid" onPress={close}>
          {t('common.close')}
        </Button>
      </SheetButtons>
    </Sheet>
  )
}

/** Calls `onChange` when one of our own uploads among them stops or goes on. */
function useOwnChanges(uploads: readonly UnfinishedUpload[], onChange: () => void): void {
  useEffect(() =>
    onStatusChanges((changes) => {
      const own = new Set(uploads.map(({ ours }) => ours?.transferId))
      if (changes.some(({ id, from, to }) => own.has(id) && goesOn(from) !== goesOn(to))) onChange()
    }),
  )
}

/** Lists an upload again if a notice reports that it could not be discarded. */
function useRefusals(onRefused: () => void): void {
  useEffect(() =>
    uiStore.subscribe(({ notice }, before) => {
      if (notice !== null && notice !== before.notice) onRefused()
    }),
  )
}

function summaryOf({ uploads, isListing, error }: UnfinishedListing): string {
  if (uploads.length === 0) return ''
  const underWay = uploads.filter(isUnderWay).length
  const count = uploads.length - underWay
  if (error !== null) return t('uploads.unfinished.cut-short', { count, why: error.message })
  return joined(
    t(isListing ? 'uploads.unfinished.listing-more' : 'uploads.unfinished.count', { count }),
    underWay > 0 ? t('uploads.unfinished.under-way-count', { count: underWay }) : '',
  )
}
