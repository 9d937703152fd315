import { useState } from 'react'
import { t } from '../../../shared/language/translate.ts'
import { visibleText } from '../../../shared/visible-text.ts'
import { nameOf } from '../../sheet-parts/use-size-of.ts'
import { browser, noteFilled } from '../../state/browse-store.ts'
import type { Entry } from '../../state/objects/listing.ts'
import { isInsideOf, prefixAbove, type BrowseLocation } from '../../state/objects/location.ts'
import { endSprings } from '../../state/springs.ts'
import type { MoveDialog } from '../../state/ui/dialog.ts'
import { showToast } from '../../state/ui/messages.ts'
import { TextField } from '../../ui/fields/fields.tsx'
import { isEmptyPlan, planMove } from './move-entries.ts'
import { MovingSheet } from './moving-sheet.tsx'

export interface MoveSheetProps {
  readonly dialog: MoveDialog
  readonly onClose: () => void
}

/** Asks for another folder of the same bucket, or whether it is to be the one that was dropped on, and moves there. */
export function MoveSheet({ dialog, onClose }: MoveSheetProps) {
  const { location, entries } = dialog
  const isDropped = dialog.to !== undefined
  const [path, setPath] = useState(dialog.to ?? location.prefix)
  const [suggestions] = useState(() => foldersAround(location, entries))
  const to = path === '' || path.endsWith('/') ? path : `${path}/`
  const isInside = isInsideOf(entries, to)
  const plan = planMove(entries, to)

  return (
    <MovingSheet
      title={t('browser.move', { name: nameOf(entries) })}
      label={t('browser.move.confirm')}
      location={location}
      entries={entries}
      isConfirmed={isDropped}
      plan={isInside || isEmptyPlan(plan) ? null : plan}
      onMoved={(count) => {
        endSprings(true)
        noteFilled({ ...location, prefix: to })
        showToast(() => t('browser.move.all', { count, folder: visibleText(to) || location.bucket }))
      }}
      onClose={() => {
        // What sprang open on the way closes again if nothing has moved there.
        endSprings(false)
        onClose()
      }}
    >
      {(isLocked) => (
        <TextField
          takesFocus={!isDropped}
          isCode
          label={t('browser.move.folder')}
          value={path}
          suggestions={suggestions}
          hint={t('browser.move.hint', { bucket: location.bucket })}
          error={isInside ? t('browser.move.inside') : null}
          isReadOnly={isLocked}
          onChange={setPath}
        />
      )}
    </MovingSheet>
  )
}

/** The folders that are shown, and the ones around them. */
function foldersAround({ prefix }: BrowseLocation, entries: readonly Entry[]): readonly string[] {
  const moved = new Set(entries.map(({ key }) => key))
  const { listing } = browser.store.getState()
  const beside = listing.entries.filter(({ kind, key }) => kind === 'folder' && !moved.has(key)).map(({ key }) => key)
  const above: string[] = []
  for (let at = prefixAbove(prefix); at !== ''; at = prefixAbove(at)) above.push(at)
  return [...beside, ...above]
}
