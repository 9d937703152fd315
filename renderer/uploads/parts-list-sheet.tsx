import { useEffect, useState } from 'react'
import type { DroppedPartsList, PartsListReview } from '../../shared/ipc/parts-list-review.ts'
import { request } from '../bridge.ts'
import { run } from '../state/ui-store.ts'
import { Button } from '../ui/button.tsx'
import { useSubmit } from '../ui/hooks/use-submit.ts'
import { Sheet, SheetButtons, SheetError } from '../ui/sheet.tsx'
import { formatBytes, formatMoment, plural } from '../words/format.ts'
import { Comparing } from './comparing.tsx'
import styles from './parts-list-sheet.module.css'

export interface PartsListSheetProps {
  readonly list: DroppedPartsList
  readonly onClose: () => void
}

type Reviewed =
  | { readonly kind: 'checking' }
  | { readonly kind: 'unusable'; readonly message: string }
  | { readonly kind: 'usable'; readonly review: PartsListReview }

/** Says which upload a dropped parts list is of and what holds of it, and completes it or fills it in. */
export function PartsListSheet({ list, onClose }: PartsListSheetProps) {
  const reviewed = useReview(list)
  const review = reviewed.kind === 'usable' ? reviewed.review : null
  const [isComparing, setIsComparing] = useState(false)
  const { isBusy, error, submit } = useSubmit(() => undefined)
  const canComplete = review !== null && review.lack === null

  const close = () => {
    if (isComparing && review !== null) run(request('uploads:stop-comparing', { id: review.upload.uploadId }))
    onClose()
  }
  const complete = () => {
    submit(() => request('parts-lists:complete', list).then(onClose))
  }
  const fillIn = () => {
    setIsComparing(true)
    submit(() =>
      request('parts-lists:finish', list)
        .then((isFinishing) => {
          if (isFinishing) onClose()
        })
        .finally(() => {
          setIsComparing(false)
        }),
    )
  }

  return (
    <Sheet title="Finish the upload of this parts list?" width="wide" onClose={close}>
      <p className={styles['subject']}>{nameOf(list.path)}</p>
      <div className={styles['finding']} aria-live="polite">
        {reviewed.kind === 'checking' && <p>Comparing the list with the server…</p>}
        {reviewed.kind === 'unusable' && <p>{reviewed.message} Nothing was changed.</p>}
        {review !== null && <Findings review={review} />}
        {isComparing && review !== null && (
          <Comparing uploadId={review.upload.uploadId} name={nameOf(review.upload.key)} />
        )}
      </div>
      <SheetError text={error} />
      <SheetButtons>
        <Button look={reviewed.kind === 'unusable' ? 'solid' : 'outline'} onPress={close}>
          {reviewed.kind === 'unusable' ? 'Close' : 'Cancel'}
        </Button>
        {review !== null && (
          <Button look={canComplete ? 'outline' : 'solid'} isDisabled={isBusy} onPress={fillIn}>
            {canComplete ? 'Compare with the file…' : 'Choose the file and fill in…'}
          </Button>
        )}
        {canComplete && (
          <Button takesFocus look="solid" isDisabled={isBusy} onPress={complete}>
            Complete
          </Button>
        )}
      </SheetButtons>
    </Sheet>
  )
}

function Findings({ review }: { readonly review: PartsListReview }) {
  const { upload, placeName, bucket, startedAtMs, parts, sizeBytes, lack } = review
  const place = placeName === bucket ? placeName : `${placeName} (${bucket})`
  return (
    <>
      <dl className={styles['facts']}>
        <dt>File</dt>
        <dd>{upload.key}</dd>
        <dt>Place</dt>
        <dd>{place}</dd>
        {startedAtMs !== null && (
          <>
            <dt>Started</dt>
            <dd>{formatMoment(startedAtMs)}</dd>
          </>
        )}
        <dt>In the list</dt>
        <dd>{plural(parts, 'part')}</dd>
        {sizeBytes !== null && (
          <>
            <dt>On the server</dt>
            <dd>{formatBytes(sizeBytes)}</dd>
          </>
        )}
      </dl>
      <p className={styles['verdict']}>{lack ?? `✓ The server has all ${plural(parts, 'part')} as the list says.`}</p>
      <p className={styles['note']}>{lack === null ? WHOLE : FILL_IN}</p>
    </>
  )
}

/** Asked once: the list is compared again before anything is done with it. */
function useReview({ placeId, bucket, path }: DroppedPartsList): Reviewed {
  const [reviewed, setReviewed] = useState<Reviewed>({ kind: 'checking' })
  useEffect(() => {
    let isClosed = false
    const tell = (next: Reviewed) => {
      if (!isClosed) setReviewed(next)
    }
    request('parts-lists:review', { placeId, path, ...(bucket === undefined ? {} : { bucket }) }).then(
      (review) => {
        tell({ kind: 'usable', review })
      },
      (failure: unknown) => {
        tell({ kind: 'unusable', message: failure instanceof Error ? failure.message : 'The list can’t be read.' })
      },
    )
    return () => {
      isClosed = true
    }
  }, [placeId, bucket, path])
  return reviewed
}

function nameOf(path: string): string {
  return path.split(/[/\\]/).at(-1) ?? path
}

const WHOLE =
  'Completing creates the file from exactly these parts. Only the original file can tell whether more were to come: compare with it if you have it.'
const FILL_IN = 'With the original file, parts that match it are kept and all others are sent.'
