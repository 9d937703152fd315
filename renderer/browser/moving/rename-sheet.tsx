import { useEffect, useRef, useState } from 'react'
import { t } from '../../../shared/language/translate.ts'
import { visibleText } from '../../../shared/visible-text.ts'
import { browser, noteLanded } from '../../state/browse-store.ts'
import { folderEntry, type Entry } from '../../state/objects/listing.ts'
import { prefixAbove, type BrowseLocation } from '../../state/objects/location.ts'
import { selectOnlyEntry } from '../../state/objects/selection.ts'
import { showToast } from '../../state/ui/messages.ts'
import { TextField } from '../../ui/fields/fields.tsx'
import { planRename } from './move-entries.ts'
import { MovingSheet } from './moving-sheet.tsx'

export interface RenameSheetProps {
  readonly location: BrowseLocation
  readonly entry: Entry
  readonly onClose: () => void
}

/** Asks for the new name of an object or folder, and gives it that name on the server. */
export function RenameSheet({ location, entry, onClose }: RenameSheetProps) {
  const isFolder = entry.kind === 'folder'
  const around = prefixAbove(entry.key)
  const before = entry.key.slice(around.length, isFolder ? -1 : undefined)
  const [name, setName] = useState(before)
  const input = useRef<HTMLInputElement>(null)
  const newKey = `${around}${name}${isFolder ? '/' : ''}`
  // As it was at first: what a broken off try has brought there does not stand in its own way.
  const [taken] = useState(() => new Set(browser.store.getState().listing.entries.map(({ key }) => key)))
  const isTaken = name !== before && taken.has(newKey)
  const problem = problemOf(name, isTaken ? entry.kind : null)
  useEffect(() => {
    // The extension mostly stays.
    const dot = before.lastIndexOf('.')
    input.current?.setSelectionRange(0, isFolder || dot <= 0 ? before.length : dot)
  }, [before, isFolder])

  function show(): void {
    const renamed = isFolder
      ? folderEntry(newKey, around)
      : { ...entry, key: newKey, name: visibleText(name), modifiedMs: Date.now() }
    let isShown = false
    noteLanded(location, (prefix) => {
      isShown = prefix === around
      return isShown ? renamed : null
    })
    if (isShown) selectOnlyEntry(browser, renamed)
    showToast(() => t('browser.rename.all', { name: visibleText(name) }))
  }

  return (
    <MovingSheet
      title={t('browser.rename', { name: visibleText(before) || '/' })}
      label={t('browser.rename.confirm')}
      location={location}
      entries={[entry]}
      plan={name === '' || name === before || problem !== null ? null : planRename(entry, name)}
      onMoved={show}
      onClose={onClose}
    >
      {(isLocked) => (
        <TextField
          takesFocus
          label={t('browser.name')}
          inputRef={input}
          value={name}
          error={problem}
          isReadOnly={isLocked}
          onChange={setName}
        />
      )}
    </MovingSheet>
  )
}

/** Why a name can't be used; null: it can. Pure. */
function problemOf(name: string, takenBy: Entry['kind'] | null): string | null {
  if (name.includes('/')) return t('browser.rename.slash')
  if (takenBy === null) return null
  return t(takenBy === 'folder' ? 'browser.new-folder.taken' : 'browser.rename.taken')
}
