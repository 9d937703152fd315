import { useState } from 'react'
import type { EnqueueUploads, TakenPaths } from '../../shared/ipc/ipc-contract.ts'
import { visibleText } from '../../shared/visible-text.ts'
import { uploadTaken } from '../actions/upload-actions.ts'
import { ConflictChoice, type OnConflict } from '../sheet-parts/conflict-choice.tsx'
import { placeById, useApp } from '../state/app-store.ts'
import { Button } from '../ui/button.tsx'
import { useSubmit } from '../ui/hooks/use-submit.ts'
import { Sheet, SheetButtons, SheetError } from '../ui/sheet.tsx'
import { plural } from '../words/format.ts'
import styles from './upload-sheet.module.css'

/** Names that are shown before the others are only counted. */
const NAMES_SHOWN = 5

export interface TakenSheetProps {
  /** Where they were to go. */
  readonly to: Omit<EnqueueUploads, 'paths' | 'onConflict'>
  readonly taken: TakenPaths
  readonly onClose: () => void
}

/** Asks, once for all dropped files whose names are taken, what becomes of the objects that are there. */
export function TakenSheet({ to, taken, onClose }: TakenSheetProps) {
  const place = useApp((state) => placeById(state, to.placeId))
  const [onConflict, setOnConflict] = useState<OnConflict>('keep-both')
  const { isBusy, error, submit } = useSubmit(onClose)
  const { paths, isCertain } = taken
  const names = paths.map((path) => visibleText(path.split(/[/\\]/).at(-1) ?? path))
  const placeName = place?.name ?? 'The place'
  const more = names.length - NAMES_SHOWN
  return (
    <Sheet title={`${countOf(names)} ${existsWords(names.length, isCertain)}`} onClose={onClose}>
      <p>
        {isCertain ? existing(names.length, placeName) : `${placeName} isn’t responding, so we can’t tell.`} Nothing has
        been uploaded yet.
      </p>
      <ul className={styles['skipped']}>
        {names.slice(0, NAMES_SHOWN).map((name, index) => (
          <li key={paths[index]}>
            <span className={styles['path']}>{name}</span>
          </li>
        ))}
        {more > 0 && <li>And {plural(more, 'other')}.</li>}
      </ul>
      <ConflictChoice label="If a file with that name already exists" value={onConflict} onChange={setOnConflict} />
      <SheetError text={error} />
      <SheetButtons>
        <Button isDisabled={isBusy} onPress={onClose}>
          Cancel
        </Button>
        <Button
          takesFocus
          look="solid"
          isDisabled={isBusy}
          onPress={() => {
            submit(() => uploadTaken({ ...to, paths, onConflict }))
          }}
        >
          {isBusy && onConflict !== 'replace' ? 'Comparing…' : 'Upload'}
        </Button>
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

function countOf(names: readonly string[]): string {
  return names.length === 1 ? (names[0] ?? '') : plural(names.length, 'file')
}
