import { useCallback, useState, type MouseEvent } from 'react'
import { t } from '../../shared/language/translate.ts'
import { canDoWith, hasAction, performOn, type EntryAction } from '../actions/browse-actions.ts'
import { ENTRY_KEYS } from '../commands/shortcuts.ts'
import { browser, useBrowse } from '../state/browse-store.ts'
import type { Entry } from '../state/objects/listing.ts'
import { selectedEntries, selectOnlyEntry } from '../state/objects/selection.ts'
import type { MenuEntry } from '../ui/overlays/menu.tsx'
import { PointMenu } from '../ui/overlays/point-menu.tsx'

interface OpenEntryMenu {
  readonly entries: readonly Entry[]
  /** The position in the window, pixels. */
  readonly x: number
  readonly y: number
}

const ACTIONS: readonly { readonly id: EntryAction; readonly startsGroup?: true }[] = [
  { id: 'open' },
  { id: 'preview' },
  { id: 'reveal' },
  { id: 'download' },
  { id: 'link', startsGroup: true },
  { id: 'copy-key' },
  { id: 'properties' },
  { id: 'rename', startsGroup: true },
  { id: 'move' },
  { id: 'delete', startsGroup: true },
]

/** The menu of everything that can be done with the rows. */
export function EntryMenu({ menu, onClose }: { readonly menu: OpenEntryMenu; readonly onClose: () => void }) {
  const { entries } = menu
  const location = useBrowse((state) => state.location)
  const actions = ACTIONS.filter(({ id }) => location !== null && hasAction(id, location))
  return (
    <PointMenu
      at={menu}
      label={t('browser.actions')}
      entries={actions.map((action): MenuEntry => ({
        ...action,
        label: t(`browser.action.${action.id}`),
        isDisabled: !canDoWith(action.id, entries),
        keys: keysOn(entries, action.id),
      }))}
      onClose={onClose}
      onAction={(id) => {
        const action = ACTIONS.find((each) => each.id === id)
        if (action !== undefined) performOn(action.id, entries)
      }}
    />
  )
}

/** Return opens what can be opened, and downloads only objects. */
function keysOn(entries: readonly Entry[], action: EntryAction): readonly string[] {
  if (action === 'download' && entries.some(({ kind }) => kind !== 'object')) return []
  return ENTRY_KEYS[action] ?? []
}

/** The menu on a selected row acts on the whole selection; on another row it first selects only that row. */
export function useEntryMenu() {
  const [menu, setMenu] = useState<OpenEntryMenu | null>(null)
  const closeMenu = useCallback(() => setMenu(null), [])
  const openMenu = useCallback((event: MouseEvent, entry: Entry) => {
    event.preventDefault()
    if (!browser.store.getState().selection.has(entry.key)) selectOnlyEntry(browser, entry)
    setMenu({ entries: selectedEntries(browser), x: event.clientX, y: event.clientY })
  }, [])
  return { menu, closeMenu, openMenu }
}
