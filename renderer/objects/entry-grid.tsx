import { useEffect, useMemo, useRef, type KeyboardEvent, type MouseEvent, type RefObject } from 'react'
import { ChevronDown, ChevronUp } from 'lucide-react'
import { t } from '../../shared/language/translate.ts'
import type { Entry, Order } from '../state/objects/listing.ts'
import { sortBy, useObjectList, type ObjectList } from '../state/objects/object-list.ts'
import {
  focusEntry,
  pressEntry,
  selectEntriesTo,
  selectSpannedEntries,
  toggleEntry,
} from '../state/objects/selection.ts'
import { cx } from '../ui/cx.ts'
import { holdsMod } from '../ui/shortcut.ts'
import { Marquee } from '../ui/marquee.tsx'
import sortStyles from '../ui/sort-button.module.css'
import { useVirtualRows } from '../ui/hooks/use-virtual-rows.ts'
import { ColumnEdge, useColumnWidths } from './column-edge.tsx'
import styles from './entry-grid.module.css'
import { EntryRow, type RowDrag } from './entry-row.tsx'
import { WIDTH_KEYS } from './head-keys.ts'
import { HEADS_HEIGHT, ROW_HEIGHT, useEntryKeyboard } from './use-entry-keyboard.ts'
import { useSteadyRows } from './use-steady-rows.ts'

export interface EntryGridProps {
  readonly list: ObjectList
  /** Called on a double click on a line, or Return. */
  readonly onOpen: (entry: Entry) => void
  /** Called for keys that don't move in the list; returns whether the key did something. */
  readonly onKey?: (event: KeyboardEvent, focused: Entry | undefined) => boolean
  readonly onMenu?: (event: MouseEvent, entry: Entry) => void
  /** If given, rows can be dragged, and files dropped on them. */
  readonly drag?: RowDrag
  /** The row that dragged files are over. */
  readonly targetKey?: string | null
}

/**
 * The lines of the open folder, as a grid with one tab stop. Only visible rows, and the focused one, are in the
 * document.
 */
export function EntryGrid({ list, onOpen, onKey, onMenu, drag, targetKey = null }: EntryGridProps) {
  const shown = useObjectList(list, ({ listing }) => listing.shown)
  const state = useObjectList(list, ({ listing }) => listing.state)
  const focusedKey = useObjectList(list, (browse) => browse.focusedKey)
  // Memoized because scrolling needs it in every frame, and the row may be the last of 100,000.
  const focusedIndex = useMemo(
    () => (focusedKey === null ? -1 : shown.findIndex(({ key }) => key === focusedKey)),
    [shown, focusedKey],
  )
  const scroller = useRef<HTMLDivElement>(null)
  const { rows, height, scrollTo, scrolledBy, scrollBy } = useVirtualRows({
    count: shown.length,
    rowHeight: ROW_HEIGHT,
    scroller,
    keptIndex: focusedIndex,
    topInset: HEADS_HEIGHT,
  })
  const moved = useSteadyRows(list, { scroller, focusedIndex, scrolledBy, scrollBy })
  const onKeyDown = useEntryKeyboard(list, { scroller, scrollTo, onOpen, onKey })
  const grid = useFocusKept(list, scroller, scrollTo)
  const widths = useColumnWidths()
  return (
    <div
      ref={grid}
      role="grid"
      aria-label={t('browser.files')}
      aria-rowcount={state === 'listing' ? -1 : shown.length + 1}
      aria-busy={state === 'listing'}
      aria-multiselectable
      tabIndex={shown.length === 0 ? 0 : -1}
      className={styles['grid']}
      style={widths}
      onKeyDown={onKeyDown}
      onClick={onLine(list, press)}
      onDoubleClick={onLine(list, (_, entry) => onOpen(entry))}
      onContextMenu={onLine(list, (event, entry) => onMenu?.(event, entry))}
      onFocus={({ target }) => {
        const key = keyOf(target)
        if (key !== null) focusEntry(list, key)
      }}
    >
      {/* The heads are inside the scroller, so that they align with the rows with or without a scroll bar. */}
      <div ref={scroller} role="presentation" className={styles['scroller']}>
        <div role="rowgroup" className={styles['heads']}>
          <ColumnHeaders list={list} />
        </div>
        <div role="rowgroup" className={styles['rows']} style={{ height }}>
          {rows.map(({ index, top }) => {
            const entry = shown[index]
            return entry === undefined ? null : (
              <EntryRow
                key={entry.key}
                {...{ list, entry, index, top, drag }}
                isTabStop={index === Math.max(0, focusedIndex)}
                isTarget={entry.key === targetKey}
              />
            )
          })}
        </div>
      </div>
      <Marquee
        scroller={scroller}
        topInset={HEADS_HEIGHT}
        // A marquee stays at the row where it began.
        scrolledBy={() => (scroller.current?.scrollTop ?? 0) - HEADS_HEIGHT - moved.current}
        onBegin={(adds) => beginMarquee(list, moved, adds || list.isPicker)}
      />
    </div>
  )
}

/** Returns a function that selects the lines between two heights, from which `moved` is subtracted. */
function beginMarquee(list: ObjectList, moved: RefObject<number>, adds: boolean): (from: number, to: number) => void {
  const base = adds ? list.store.getState().selection : new Map<string, Entry>()
  return (from, to) => {
    const { shown } = list.store.getState().listing
    const [top, bottom] = [Math.min(from, to) + moved.current, Math.max(from, to) + moved.current]
    const spanned = shown.slice(Math.max(0, Math.floor(top / ROW_HEIGHT)), Math.floor(bottom / ROW_HEIGHT) + 1)
    selectSpannedEntries(list, base, from <= to ? spanned : spanned.reverse())
  }
}

function ColumnHeaders({ list }: Pick<EntryGridProps, 'list'>) {
  return (
    <div role="row" aria-rowindex={1} className={styles['header']}>
      <ColumnHeader list={list} by="name" label={t('browser.name')} />
      <ColumnHeader list={list} by="size" label={t('browser.size')} />
      <ColumnHeader list={list} by="modified" label={t('browser.modified')} />
    </div>
  )
}

interface ColumnHeaderProps {
  readonly list: ObjectList
  readonly by: Order['by']
  readonly label: string
}

function ColumnHeader({ list, by, label }: ColumnHeaderProps) {
  const order = useObjectList(list, ({ listing }) => listing.order)
  const isSorted = order.by === by
  const Arrow = order.isDescending ? ChevronDown : ChevronUp
  const sort = isSorted ? (order.isDescending ? 'descending' : 'ascending') : 'none'
  return (
    <div
      role="columnheader"
      aria-sort={sort}
      aria-label={label}
      className={cx(styles['column'], by !== 'name' && styles['right'])}
    >
      {by !== 'name' && <ColumnEdge column={by} label={label} />}
      {/* The grid has one tab stop; the up arrow leads here. */}
      <button
        type="button"
        tabIndex={-1}
        aria-keyshortcuts={by === 'name' ? undefined : WIDTH_KEYS}
        className={sortStyles['sort']}
        onClick={() => sortBy(list, by)}
      >
        {label}
        {isSorted && <Arrow size={12} aria-hidden />}
      </button>
    </div>
  )
}

/**
 * Scrolls to the top when another folder or order is shown. If the focus was in the previous folder, moves it to the
 * row that is meant for it in the new one.
 */
function useFocusKept(list: ObjectList, scroller: RefObject<HTMLElement | null>, scrollTo: (index: number) => void) {
  const grid = useRef<HTMLDivElement>(null)
  const location = useObjectList(list, (browse) => browse.location)
  const hasRows = useObjectList(list, ({ listing }) => listing.shown.length > 0)
  const order = useObjectList(list, ({ listing }) => listing.order)
  useEffect(() => {
    scroller.current?.scrollTo(0, 0)
  }, [scroller, location, order])
  useEffect(() => {
    const active = document.activeElement
    if (active !== null && active !== document.body && grid.current?.contains(active) !== true) return
    const { focusedKey, listing } = list.store.getState()
    const index = listing.shown.findIndex(({ key }) => key === focusedKey)
    if (index > 0) scrollTo(index)
    const first = grid.current?.querySelector<HTMLElement>('[role="row"][tabindex="0"]')
    ;(first ?? grid.current)?.focus({ preventScroll: true })
    // Only when another folder opens, or its first rows arrive.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [location, hasRows])
  return grid
}

function keyOf(target: EventTarget): string | null {
  const row = target instanceof Element ? target.closest<HTMLElement>('[role="row"][data-key]') : null
  return row?.dataset['key'] ?? null
}

function onLine(list: ObjectList, act: (event: MouseEvent, entry: Entry, list: ObjectList) => void) {
  return (event: MouseEvent): void => {
    const key = keyOf(event.target)
    const entry = list.store.getState().listing.shown.find((each) => each.key === key)
    if (entry !== undefined) act(event, entry, list)
  }
}

function press(event: MouseEvent, entry: Entry, list: ObjectList): void {
  if (event.shiftKey) selectEntriesTo(list, entry.key)
  else if (holdsMod(event)) toggleEntry(list, entry)
  else pressEntry(list, entry)
}
