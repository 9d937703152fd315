import { useEffect, useState } from 'react'
import { worded } from '../../shared/language/message.ts'
import { t } from '../../shared/language/translate.ts'
import { errorOf } from '../../shared/language/worded-error.ts'
import type { DroppedPartsList, PartsListReview } from '../../shared/ipc/parts-list-review.ts'
import { request } from '../bridge.ts'
import { run } from '../state/ui/messages.ts'
import { Button } from '../ui/button.tsx'
import { useSubmit } from '../ui/hooks/use-submit.ts'
import sheetFacts from '../ui/overlays/sheet-facts.module.css'
import { Sheet, SheetButtons, SheetError } from '../ui/overlays/sheet.tsx'
import { formatBytes, formatMoment } from '../words/format.ts'
import { Comparing } from './comparing.tsx'
import styles from './parts-list-sheet.module.css'

export interface PartsListSheetProps {
  readonly list: DroppedPartsList
  readonly onClose: () => void
}

type Reviewed =
  | { readonly kind: 'checking' }
  | { readonly kind: 'unusable'; readonly error: Error }
  | { readonly kind: 'usable'; readonly review: PartsListReview }

/** Compares a dropped parts list with its upload, and completes the upload or continues it with a file. */
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
    <Sheet title={t('uploads.list.title')} width="wide" onClose={close}>
      <p className={styles['subject']}>{nameOf(list.path)}</p>
      <div className={styles['finding']} aria-live="polite">
        {reviewed.kind === 'checking' && <p>{t('uploads.list.comparing')}</p>}
        {reviewed.kind === 'unusable' && <p>{t('uploads.list.unusable', { why: reviewed.error.message })}</p>}
        {review !== null && <Findings review={review} />}
        {isComparing && review !== null && (
          <Comparing uploadId={review.upload.uploadId} name={nameOf(review.upload.key)} />
        )}
      </div>
      <SheetError text={error} />
      <SheetButtons>
        <Button look={reviewed.kind === 'unusable' ? 'solid' : 'outline'} onPress={close}>
          {t(reviewed.kind === 'unusable' ? 'common.close' : 'common.cancel')}
        </Button>
        {review !== null && (
          <Button look={canComplete ? 'outline' : 'solid'} isDisabled={isBusy} onPress={fillIn}>
            {t(canComplete ? 'uploads.list.compare' : 'uploads.list.fill-in')}
          </Button>
        )}
        {canComplete && (
          <Button takesFocus look="solid" isDisabled={isBusy} onPress={complete}>
            {t('uploads.list.complete')}
          </Button>
        )}
      </SheetButtons>
    </Sheet>
  )
}

function Findings({ review }: { readonly review: PartsListReview }) {
  const { upload, placeName, bucket, startedAtMs, parts, sizeBytes, lack } = review
  const place = placeName === bucket ? placeName : t('uploads.list.bucket-of', { place: placeName, bucket })
  return (
    <>
      <dl className={sheetFacts['facts']}>
        <dt>{t('uploads.file')}</dt>
        <dd>{upload.key}</dd>
        <dt>{t('uploads.list.place')}</dt>
        <dd>{place}</dd>
        {startedAtMs !== null && (
          <>
            <dt>{t('uploads.list.started')}</dt>
            <dd>{formatMoment(startedAtMs)}</dd>
          </>
        )}
        <dt>{t('uploads.list.in-list')}</dt>
        <dd>{t('uploads.parts', { count: parts })}</dd>
        {sizeBytes !== null && (
          <>
            <dt>{t('uploads.on-server')}</dt>
            <dd>{formatBytes(sizeBytes)}</dd>
          </>
        )}
      </dl>
      <p className={styles['verdict']}>{lack === null ? t('uploads.list.has-all', { count: parts }) : worded(lack)}</p>
      <p className={styles['note']}>{t(lack === null ? 'uploads.list.whole' : 'uploads.list.filled-in')}</p>
    </>
  )
}

/** Reviews the list once; main compares it again before it does anything with it. */
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
        tell({ kind: 'unusable', error: errorOf(failure, 'uploads.list.unreadable') })
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
