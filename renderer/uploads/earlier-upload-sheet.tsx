import { useEffect, useState } from 'react'
import { useStore } from 'zustand'
import { joined } from '../../shared/language/joined.ts'
import { t } from '../../shared/language/translate.ts'
import type { UploadCandidate } from '../../shared/ipc/upload-offer.ts'
import type { TransferId, TransferRow } from '../../shared/transfer/transfer.ts'
import { answerOthers, awaitingAnswer, decideUpload, discardEarlier } from '../actions/earlier-uploads.ts'
import { placeById, useApp } from '../state/app-store.ts'
import { liveRow, queueStore } from '../state/queue/queue-store.ts'
import { ask } from '../state/ui/open-dialogs.ts'
import { run, showToast } from '../state/ui/messages.ts'
import { Button } from '../ui/button.tsx'
import { Checkbox, Choice } from '../ui/fields/fields.tsx'
import { useSubmit } from '../ui/hooks/use-submit.ts'
import { Meter } from '../ui/meter.tsx'
import { RichText } from '../ui/rich-text.tsx'
import { Sheet, SheetButtons, SheetError } from '../ui/overlays/sheet.tsx'
import { formatBytes } from '../words/format.ts'
import { describeParts, describeProof, describeStart } from '../words/offer-words.ts'
import { objectAddress } from '../words/row-words.ts'
import styles from './earlier-upload-sheet.module.css'
import { useComparison, type Comparison } from './use-comparison.ts'

export interface EarlierUploadSheetProps {
  readonly id: TransferId
  readonly onClose: () => void
}

/** Asks whether to continue an unfinished upload with a dropped file, once it is known how much that saves. */
export function EarlierUploadSheet({ id, onClose }: EarlierUploadSheetProps) {
  const [round, setRound] = useState(0)
  // After a discard, the key makes the sheet compare the file with the uploads that are left.
  return <ComparisonSheet key={round} id={id} onClose={onClose} onDiscarded={() => setRound(round + 1)} />
}

interface ComparisonSheetProps extends EarlierUploadSheetProps {
  readonly onDiscarded: () => void
}

function ComparisonSheet({ id, onClose, onDiscarded }: ComparisonSheetProps) {
  const [row] = useState(() => liveRow(id))
  const place = useApp((state) => placeById(state, row?.placeId ?? null))
  const comparison = useComparison(id)
  const candidates = comparison.kind === 'compared' ? comparison.offer.candidates : []
  useBeginAnew(id, row?.name ?? '', comparison, onClose)
  const [chosenId, setChosenId] = useState<string | null>(null)
  const chosen = candidates.find(({ uploadId }) => uploadId === chosenId) ?? candidates[0]
  const { isBusy, error, submit } = useSubmit(onClose)
  // An unproven upload is not the main choice, so that nobody continues one of another file by accident.
  const isProven = chosen !== undefined && chosen.partsProven > 0
  const [isForAll, setIsForAll] = useState(false)
  const decide = (uploadId: string | null) => {
    submit(async () => {
      await decideUpload(id, uploadId)
      // The others are compared in the background.
      if (isForAll) run(answerOthers(uploadId !== null, id))
    })
  }
  return (
    <Sheet title={t('uploads.earlier.title')} width="wide" onClose={onClose}>
      {row !== undefined && <Subject row={row} address={objectAddress(row, place)} />}
      {candidates.length > 1 && (
        <Choice
          label={t('uploads.earlier.candidates')}
          value={chosen?.uploadId ?? ''}
          options={candidates.map((each) => ({ value: each.uploadId, label: optionLabel(each) }))}
          onChange={setChosenId}
        />
      )}
      <div className={styles['finding']} aria-live="polite">
        <Finding comparison={comparison} chosen={chosen} />
      </div>
      <SameForOthers id={id} isSelected={isForAll} onChange={setIsForAll} />
      <SheetError text={error} />
      <SheetButtons>
        <Button takesFocus onPress={onClose}>
          {t('common.cancel')}
        </Button>
        {row !== undefined && chosen !== undefined && (
          <Button isDisabled={isBusy} onPress={() => askToDiscard(row, chosen, onDiscarded)}>
            {t('uploads.earlier.discard-parts')}
          </Button>
        )}
        <Button
          look={isProven || comparison.kind === 'comparing' ? 'outline' : 'solid'}
          isDisabled={isBusy}
          onPress={() => decide(null)}
        >
          {t('uploads.earlier.start-new')}
        </Button>
        {/* The key makes a new button once there is an answer, so that it can take focus. */}
        <Button
          key={comparison.kind}
          takesFocus={isProven}
          look={isProven || comparison.kind === 'comparing' ? 'solid' : 'outline'}
          isDisabled={isBusy || chosen === undefined}
          onPress={() => decide(chosen?.uploadId ?? null)}
        >
          {t('uploads.earlier.finish')}
        </Button>
      </SheetButtons>
    </Sheet>
  )
}

interface SameForOthersProps {
  readonly id: TransferId
  readonly isSelected: boolean
  readonly onChange: (isSelected: boolean) => void
}

/** A checkbox that applies the answer to all other files that wait for one, if there are any. */
function SameForOthers({ id, ...box }: SameForOthersProps) {
  const count = useStore(queueStore, () => awaitingAnswer().filter((each) => each !== id).length)
  return count === 0 ? null : <Checkbox {...box}>{t('uploads.earlier.same-for-others', { count })}</Checkbox>
}

function askToDiscard(row: TransferRow, { uploadId, partsThere }: UploadCandidate, onDiscarded: () => void): void {
  ask({
    title: t('uploads.earlier.discard', { key: row.key }),
    body: t('uploads.discard.parts', { count: partsThere }),
    safeLabel: t('common.cancel'),
    confirmLabel: t('uploads.discard.confirm-parts', { count: partsThere }),
    onConfirm: () => {
      run(discardEarlier(row, uploadId).then(onDiscarded))
    },
  })
}

/** If no part belongs to the file, begins a new upload without asking; the earlier one stays as it is. */
function useBeginAnew(id: TransferId, name: string, comparison: Comparison, onClose: () => void): void {
  const isUseless =
    comparison.kind === 'compared' && comparison.offer.candidates.length === 0 && comparison.offer.unseen === 0
  useEffect(() => {
    if (!isUseless) return
    run(
      decideUpload(id, null).then(() => {
        onClose()
        showToast(() => t('uploads.earlier.none-matches', { name }))
      }),
    )
  }, [isUseless, id, name, onClose])
}

function Subject({ row, address }: { readonly row: TransferRow; readonly address: string }) {
  const size = row.sizeBytes === null ? '' : ` · ${formatBytes(row.sizeBytes)}`
  return (
    <p className={styles['subject']}>
      <RichText
        text="uploads.earlier.subject"
        tags={{ strong: (name) => <strong>{name}</strong> }}
        values={{ name: row.name, size, address }}
      />
    </p>
  )
}

function optionLabel(candidate: UploadCandidate): string {
  return joined(describeStart(candidate), describeProof(candidate))
}

function Finding({
  comparison,
  chosen,
}: {
  readonly comparison: Comparison
  readonly chosen: UploadCandidate | undefined
}) {
  if (comparison.kind === 'comparing') {
    const { comparedBytes, totalBytes } = comparison
    const words = t('uploads.earlier.comparing')
    const amount = { done: formatBytes(comparedBytes), all: formatBytes(totalBytes) }
    return (
      <Meter label={words} done={comparedBytes} total={totalBytes}>
        {totalBytes === 0 ? words : joined(words, t('format.progress', amount))}
      </Meter>
    )
  }
  if (comparison.kind === 'failed') return <p>{comparison.error.message}</p>
  if (chosen === undefined) return <p>{t('uploads.earlier.unseen')}</p>
  return (
    <>
      <p>{joined(describeStart(chosen), describeParts(chosen))}</p>
      <p className={styles['proof']}>
        <span>
          {chosen.partsProven > 0 && '✓ '}
          {describeProof(chosen)}
        </span>
        {chosen.provenBytes > 0 && <span>{t('uploads.earlier.saves', { size: formatBytes(chosen.provenBytes) })}</span>}
      </p>
    </>
  )
}
