import { useState } from 'react'
import { t } from '../../shared/language/translate.ts'
import type { EnqueueUploads, FileVersion, TakenUploads } from '../../shared/ipc/ipc-contract.ts'
import { visibleText } from '../../shared/visible-text.ts'
import { uploadTaken } from '../actions/upload-actions.ts'
import { AddButtons } from '../sheet-parts/add-buttons.tsx'
import type { Conflict } from '../../shared/conflict.ts'
import { ConflictChoice } from '../sheet-parts/conflict-choice.tsx'
import { placeById, useApp } from '../state/app-store.ts'
import { Button } from '../ui/button.tsx'
import { useSubmit } from '../ui/hooks/use-submit.ts'
import { Sheet, SheetButtons, SheetError } from '../ui/overlays/sheet.tsx'
import { formatBytes, formatMoment } from '../words/format.ts'
import styles from './upload-sheet.module.css'

/** The most names that are shown; any others are counted. */
const NAMES_SHOWN = 5

export interface TakenSheetProps {
  /** Where the files were to go. */
  readonly to: Omit<EnqueueUploads, 'paths' | 'onConflict'>
  readonly taken: TakenUploads
  readonly onClose: () => void
}

/** Asks what to do with the existing objects, once for all dropped files whose keys are taken. */
export function TakenSheet({ to, taken, onClose }: TakenSheetProps) {
  const place = useApp((state) => placeById(state, to.placeId))
  const [onConflict, setOnConflict] = useState<Conflict>('keep-both')
  const { isBusy, error, submit } = useSubmit(onClose)
  const { files, isCertain } = taken
  const paths = files.map(({ path }) => path)
  const names = paths.map((path) => visibleText(path.split(/[/\\]/).at(-1) ?? path))
  const placeName = place?.name ?? t('uploads.taken.the-place')
  const more = names.length - NAMES_SHOWN
  const count = names.length
  return (
    <Sheet
      title={t(isCertain ? 'uploads.taken.exists' : 'uploads.taken.may-exist', { count, name: names[0] ?? '' })}
      width="wide"
      onClose={onClose}
    >
      <p>
        {isCertain
          ? t('uploads.taken.in-place', { count, place: placeName })
          : t('uploads.taken.no-answer', { place: placeName })}
      </p>
      <table className={styles['versions']}>
        <thead>
          <tr>
            <th scope="col">{t('uploads.file')}</th>
            <th scope="col">{t('uploads.on-computer')}</th>
            <th scope="col">{t('uploads.taken.theirs', { place: placeName })}</th>
          </tr>
        </thead>
        <tbody>
          {files.slice(0, NAMES_SHOWN).map(({ path, ours, theirs }, index) => (
            <tr key={path}>
              <th scope="row">{names[index]}</th>
              <td>{describeVersion(ours)}</td>
              <td>{theirs === null ? t('uploads.not-known') : describeVersion(theirs)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {more > 0 && <p>{t('uploads.taken.more', { count: more })}</p>}
      <ConflictChoice
        direction="upload"
        label={t('uploads.taken.what-to-do')}
        value={onConflict}
        onChange={setOnConflict}
      />
      <SheetError text={error} />
      <SheetButtons areTogether>
        <Button isDisabled={isBusy} onPress={onClose}>
          {t('common.cancel')}
        </Button>
        <AddButtons
          label={t(isBusy && onConflict !== 'replace' ? 'uploads.taken.comparing' : 'uploads.upload')}
          takesFocus
          isDisabled={isBusy}
          onAdd={(adding) => {
            submit(() => uploadTaken({ ...to, paths, onConflict, ...adding }))
          }}
        />
      </SheetButtons>
    </Sheet>
  )
}

/** "12.7 GB, 12 Nov 2026, 21:04". */
function describeVersion({ sizeBytes, modifiedMs }: FileVersion): string {
  const size = sizeBytes === null ? t('uploads.taken.no-size') : formatBytes(sizeBytes)
  return modifiedMs === null ? size : t('uploads.taken.version', { size, moment: formatMoment(modifiedMs) })
}
