import { useState } from 'react'
import type { EnqueueUploads, FileVersion, TakenUploads } from '../../shared/ipc/ipc-contract.ts'
import { visibleText } from '../../shared/visible-text.ts'
import { uploadTaken } from '../actions/upload-actions.ts'
import { AddButtons } from '../sheet-parts/add-buttons.tsx'
import { ConflictChoice, type OnConflict } from '../sheet-parts/conflict-choice.tsx'
import { placeById, useApp } from '../state/app-store.ts'
import { Button } from '../ui/button.tsx'
import { useSubmit } from '../ui/hooks/use-submit.ts'
import { Sheet, SheetButtons, SheetError } from '../ui/sheet.tsx'
import { formatBytes, formatMoment, plural } from '../words/format.ts'
import styles from './upload-sheet.module.css'

/** Names that are shown before the others are only counted. */
const NAMES_SHOWN = 5

export interface TakenSheetProps {
  /** Where they were to go. */
  readonly to: Omit<EnqueueUploads, 'paths' | 'onConflict'>
  readonly taken: TakenUploads
  readonly onClose: () => void
}

/** Asks, once for all dropped files whose names are taken, what becomes of the objects that are there. */
export function TakenSheet({ to, taken, onClose }: TakenSheetProps) {
  const place = useApp((state) => placeById(state, to.placeId))
  const [onConflict, setOnConflict] = useState<OnConflict>('keep-both')
  const { isBusy, error, submit } = useSubmit(onClose)
  const { files, isCertain } = taken
  const paths = files.map(({ path }) => path)
  const names = paths.map((path) => visibleText(path.split(/[/\\]/).at(-1) ?? path))
  const placeName = place?.name ?? 'The place'
  const more = names.length - NAMES_SHOWN
  return (
    <Sheet title={`${countOf(names)} ${existsWords(names.length, isCertain)}`} width="wide" onClose={onClose}>
      <p>
        {isCertain ? existing(names.length, placeName) : `${placeName} isn’t responding, so we can’t tell.`} Nothing has
        been uploaded yet.
      </p>
      <table className={styles['versions']}>
        <thead>
          <tr>
            <th scope="col">File</th>
            <th scope="col">On this computer</th>
            <th scope="col">In {placeName}</th>
          </tr>
        </thead>
        <tbody>
          {files.slice(0, NAMES_SHOWN).map(({ path, ours, theirs }, index) => (
            <tr key={path}>
              <th scope="row">{names[index]}</th>
              <td>{describeVersion(ours)}</td>
              <td>{theirs === null ? 'Not known' : describeVersion(theirs)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {more > 0 && <p>And {plural(more, 'other file')}.</p>}
      <ConflictChoice label="What to do" value={onConflict} onChange={setOnConflict} />
      <SheetError text={error} />
      <SheetButtons areTogether>
        <Button isDisabled={isBusy} onPress={onClose}>
          Cancel
        </Button>
        <AddButtons
          label={isBusy && onConflict !== 'replace' ? 'Comparing…' : 'Upload'}
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

function existsWords(count: number, isCertain: boolean): string {
  if (!isCertain) return 'may already exist'
  return count === 1 ? 'already exists' : 'already exist'
}

function existing(count: number, placeName: string): string {
  return count === 1 ? `This name already exists in ${placeName}.` : `These names already exist in ${placeName}.`
}

/** "12.7 GB, 12 Nov 2026, 21:04". */
function describeVersion({ sizeBytes, modifiedMs }: FileVersion): string {
  const size = sizeBytes === null ? 'Size not known' : formatBytes(sizeBytes)
  return modifiedMs === null ? size : `${size}, ${formatMoment(modifiedMs)}`
}

function countOf(names: readonly string[]): string {
  return names.length === 1 ? (names[0] ?? '') : plural(names.length, 'file')
}
