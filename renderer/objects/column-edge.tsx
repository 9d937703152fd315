import type { PointerEvent } from 'react'
import { currentLanguage, t } from '../../shared/language/translate.ts'
import { ENTRY_WIDTH, type EntryColumn } from '../../shared/transfer/queue-view.ts'
import { useUi } from '../state/selectors.ts'
import { uiStore } from '../state/ui/ui-store.ts'
import styles from './column-edge.module.css'

/** How far an arrow key moves an edge, pixels. */
const STEP = 8
/** What a column that fits leaves free, pixels. */
const FREE = 4

/** The widths of the columns as the styles of the list read them. */
export function useColumnWidths(): Readonly<Record<string, string>> {
  const widths = useUi((state) => state.entryWidths)
  return { [nameOf('size')]: `${String(widths.size)}px`, [nameOf('modified')]: `${String(widths.modified)}px` }
}

interface ColumnEdgeProps {
  readonly column: EntryColumn
  readonly label: string
}

/**
 * The edge at which a column begins. Dragged, or moved by arrow keys, it sets the width; a double click fits it. It is no
 * tab stop: the keys of the column's head lead to it.
 */
export function ColumnEdge({ column, label }: ColumnEdgeProps) {
  const width = useUi((state) => state.entryWidths[column])
  return (
    // WAI-ARIA 1.2: a separator that can be focused is a widget.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div
      role="separator"
      aria-orientation="vertical"
      aria-label={t('browser.column-width', { column: label })}
      aria-valuenow={width}
      aria-valuemin={ENTRY_WIDTH.least}
      aria-valuemax={ENTRY_WIDTH.most}
      aria-valuetext={t('browser.column-width.value', { count: width })}
      tabIndex={-1}
      data-column={column}
      className={styles['edge']}
      onPointerDown={(event) => drag(event, column)}
      onDoubleClick={({ currentTarget }) => fit(currentTarget, column)}
      onKeyDown={(event) => {
        if (event.ctrlKey || event.metaKey || event.altKey || !moveEdge(event.currentTarget, event.key)) return
        event.preventDefault()
        // The keys would move through the lines.
        event.stopPropagation()
      }}
    />
  )
}

/** Follows the pointer. The list is drawn anew only when it is let go: until then its style is changed. */
function drag(
  { currentTarget: edge, pointerId, clientX, button }: PointerEvent<HTMLElement>,
  column: EntryColumn,
): void {
  const grid = gridOf(edge)
  if (button !== 0 || grid === null) return
  const startWidth = shownWidth(edge)
  let width = startWidth
  edge.setPointerCapture(pointerId)
  const ended = new AbortController()
  const follow = (event: globalThis.PointerEvent): void => {
    width = within(startWidth + towardsStart(event.clientX - clientX))
    grid.style.setProperty(nameOf(column), `${String(width)}px`)
  }
  edge.addEventListener('pointermove', follow, { signal: ended.signal })
  edge.addEventListener(
    'lostpointercapture',
    () => {
      ended.abort()
      if (width !== startWidth) setWidth(column, width)
    },
    { signal: ended.signal },
  )
}

/** The edge in a column's head; null in that of the name, which has what the others leave. */
export function edgeOf(head: HTMLElement): HTMLElement | null {
  return head.querySelector<HTMLElement>('[role="separator"]')
}

/** @returns whether the key does something to an edge */
export function moveEdge(edge: HTMLElement, key: string): boolean {
  const column = edge.dataset['column'] as EntryColumn
  if (key === 'ArrowLeft') setWidth(column, shownWidth(edge) + towardsStart(-STEP))
  else if (key === 'ArrowRight') setWidth(column, shownWidth(edge) + towardsStart(STEP))
  else if (key === 'Home') setWidth(column, ENTRY_WIDTH.most)
  else if (key === 'End') setWidth(column, ENTRY_WIDTH.least)
  else if (key === 'Enter') fit(edge, column)
  else return false
  return true
}

/** Makes a column as wide as the widest of its texts that are drawn. */
function fit(edge: HTMLElement, column: EntryColumn): void {
  const head = edge.parentElement
  const cells = gridOf(edge)?.querySelectorAll(`[role="gridcell"][id$="-${column}"]`) ?? []
  const texts = [...cells, ...(head?.querySelectorAll('button') ?? [])]
  setWidth(column, Math.ceil(Math.max(...texts.map(textWidth))) + FREE)
}

function textWidth(element: Element): number {
  const range = document.createRange()
  range.selectNodeContents(element)
  return range.getBoundingClientRect().width
}

function setWidth(column: EntryColumn, width: number): void {
  uiStore.setState(({ entryWidths }) => ({ entryWidths: { ...entryWidths, [column]: within(width) } }))
}

function within(width: number): number {
  return Math.round(Math.min(ENTRY_WIDTH.most, Math.max(ENTRY_WIDTH.least, width)))
}

/** How much wider a column gets when the edge at its start moves this far to the right. */
function towardsStart(distance: number): number {
  return currentLanguage().direction === 'ltr' ? -distance : distance
}

/** The width that the column has in this window, where it may have less than it was given. */
function shownWidth(edge: HTMLElement): number {
  return edge.parentElement?.getBoundingClientRect().width ?? 0
}

function gridOf(edge: HTMLElement): HTMLElement | null {
  return edge.closest<HTMLElement>('[role="grid"]')
}

function nameOf(column: EntryColumn): `--${EntryColumn}-width` {
  return `--${column}-width`
}
