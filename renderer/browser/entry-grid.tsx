import { useCallback, useEffect, useMemo, useRef, useState, type MouseEvent, type RefObject } from 'react'
import { ChevronDown, ChevronUp } from 'lucide-react'
import { performOn } from '../actions/browse-actions.ts'
import { browseStore, sortBy, useBrowse } from '../state/browse-store.ts'
import {
  focusEntry,
  selectedEntries,
  selectEntriesTo,
  selectOnlyEntry,
  toggleEntry,
} from '../state/browse-selection.ts'
import type { Order } from '../state/listing.ts'
import { cx } from '../ui/cx.ts'
import { useVirtualRows } from '../ui/hooks/use-virtual-rows.ts'
import styles from './browse-view.module.css'
import { EntryMenu, type OpenEntryMenu } from './entry-menu.tsx'
import { EntryRow } from './entry-row.tsx'
import { ROW_HEIGHT, useEntryKeyboard } from './use-entry-keyboard.ts'

/**
 * The lines of the open folder, as a grid with one tab stop. Only visible rows, and the focused one, are in the
 * document.
 */
export function EntryGrid() {
  const shown = useBrowse(({ listing }) => listing.shown)
  const state = useBrowse(({ listing }) => listing.state)
  const focusedKey = useBrowse((browse) => browse.focusedKey)
  // Rows that scroll by ask for it with each frame, and it may be the last of 100,000.
  const focusedIndex = useMemo(
    () => (focusedKey === null ? -1 : shown.findIndex(({ key }) => key === focusedKey)),
    [shown, focusedKey],
  )
  const scroller = useRef<HTMLDivElement>(null)
  const { rows, height, scrollTo } = useVirtualRows({
    count: shown.length,
    rowHeight: ROW_HEIGHT,
    scroller,
    keptIndex: focusedIndex,
  })
  const onKeyDown = useEntryKeyboard(scroller, scrollTo)
  const { menu, closeMenu, onContextMenu } = useEntryMenu()
  const grid = useFocusKept(scroller, scrollTo)
  const tabStop = Math.max(0, focusedIndex)
  return (
    <div
      ref={grid}
      role="grid"
      aria-label="Files"
      aria-rowcount={state === 'listing' ? -1 : shown.length + 1}
      aria-busy={state === 'listing'}
      aria-multiselectable
      tabIndex={shown.length === 0 ? 0 : -1}
      className={styles['grid']}
      onKeyDown={onKeyDown}
      onClick={onClick}
      onDoubleClick={onDoubleClick}
      onContextMenu={onContextMenu}
      onFocus={({ target }) => {
        const key = keyOf(target)
        if (key !== null) focusEntry(key)
      }}
    >
      <div role="row" aria-rowindex={1} className={styles['header']}>
        <ColumnHeader by="name" label="Name" />
        <ColumnHeader by="size" label="Size" />
        <ColumnHeader by="modified" label="Modified" />
      </div>
      <div ref={scroller} role="rowgroup" className={styles['scroller']}>
        <div role="presentation" className={styles['rows']} style={{ height }}>
          {rows.map(({ index, top }) => {
            const entry = shown[index]
            return entry === undefined ? null : (
              <EntryRow key={entry.key} entry={entry} index={index} top={top} isTabStop={index === tabStop} />
            )
          })}
        </div>
      </div>
      {menu !== null && <EntryMenu menu={menu} onClose={closeMenu} />}
    </div>
  )
}

function ColumnHeader({ by, label }: { readonly by: Order['by']; readonly label: string }) {
  const order = useBrowse(({ listing }) => listing.order)
  const isSorted = order.by === by
  const Arrow = order.isDescending ? ChevronDown : ChevronUp
  const sort = isSorted ? (order.isDescending ? 'descending' : 'ascending') : 'none'
  return (
    <div role="columnheader" aria-sort={sort} className={cx(styles['column'], by !== 'name' && styles['right'])}>
      {/* The grid has one tab stop; sorting is for the pointer and for screen readers. */}
      <button type="button" tabIndex={-1} className={styles['sort']} onClick={() => sortBy(by)}>
        {label}
        {isSorted && <Arrow size={12} aria-hidden />}
      </button>
    </div>
  )
}

/**
 * Another folder or order begins at its top. A folder takes the focus that was in the one before, on the row meant for
 * it.
 */
function useFocusKept(scroller: RefObject<HTMLElement | null>, scrollTo: (index: number) => void) {
  const grid = useRef<HTMLDivElement>(null)
  const location = useBrowse((browse) => browse.location)
  const hasRows = useBrowse(({ listing }) => listing.shown.length > 0)
  const order = useBrowse(({ listing }) => listing.order)
  useEffect(() => {
    scroller.current?.scrollTo(0, 0)
  }, [scroller, location, order])
  useEffect(() => {
    const active = document.activeElement
    if (active !== null && active !== document.body && grid.current?.contains(active) !== true) return
    const { focusedKey, listing } = browseStore.getState()
    const index = listing.shown.findIndex(({ key }) => key === focusedKey)
    if (index > 0) scrollTo(index)
    const first = grid.current?.querySelector<HTMLElement>('[role="row"][tabindex="0"]')
    ;(first ?? grid.current)?.focus({ preventScroll: true })
    // Only when another folder opens, or its first rows come.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [location, hasRows])
  return grid
}

function useEntryMenu() {
  const [menu, setMenu] = useState<OpenEntryMenu | null>(null)
  const closeMenu = useCallback(() => setMenu(null), [])
  const onContextMenu = useCallback((event: MouseEvent) => {
    const key = keyOf(event.target)
    if (key === null) return
    event.preventDefault()
    // A menu on a selected row is for the whole selection; on another row it selects that one.
    if (!browseStore.getState().selection.has(key)) selectOnlyEntry(key)
    setMenu({ entries: selectedEntries(browseStore.getState()), x: event.clientX, y: event.clientY })
  }, [])
  return { menu, closeMenu, onContextMenu }
}

function keyOf(target: EventTarget): string | null {
  const row = target instanceof Element ? target.closest<HTMLElement>('[role="row"][data-key]') : null
  return row?.dataset['key'] ?? null
}

function onClick(event: MouseEvent): void {
  const key = keyOf(event.target)
  if (key === null) return
  if (event.shiftKey) selectEntriesTo(key)
  else if (event.ctrlKey || event.metaKey) toggleEntry(key)
  else selectOnlyEntry(key)
}

function onDoubleClick(event: MouseEvent): void {
  const clicked = keyOf(event.target)
  const entry = browseStore.getState().listing.shown.find(({ key }) => key === clicked)
  if (entry === undefined) return
  performOn(entry.kind === 'object' ? 'download' : 'open', [entry])
}
