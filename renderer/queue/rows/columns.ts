// The columns that the list shows beside the name, and their widths.

import { createContext, useContext } from 'react'
import { USUAL_COLUMNS, type Column } from '../../../shared/transfer/queue-view.ts'

/** The widths of columns, pixels. */
const WIDTHS: Readonly<Record<Column, number>> = { progress: 52, speed: 76, left: 84, place: 96, size: 72, added: 88 }
/** The width of a row other than its columns and name: edges, the column of buttons and the gap before it. */
const REST = 32 + 68 + 8
const GAP = 8
/** The least width of a name. */
const MIN_NAME = 290

/** The columns by importance: if not all fit, the last ones are left out. */
const WORTH: readonly Column[] = ['progress', 'speed', 'left', 'size', 'place', 'added']

/** Columns about moving transfers; a row at rest has words in their place. */
const MOVING: ReadonlySet<Column> = new Set(['progress', 'speed', 'left'])

/** The chosen columns that fit a list of this width, in display order. Pure. */
export function columnsFor(chosen: readonly Column[], widthPx: number): readonly Column[] {
  let left = widthPx - REST - MIN_NAME
  const fitting = new Set<Column>()
  for (const column of WORTH.filter((each) => chosen.includes(each))) {
    left -= WIDTHS[column] + GAP
    if (left < 0) break
    fitting.add(column)
  }
  return chosen.filter((column) => fitting.has(column))
}

export function isMovingColumn(column: Column): boolean {
  return MOVING.has(column)
}

/** The grid template of the heads, and of rows that have all columns. */
export function templateOf(columns: readonly Column[]): string {
  return `minmax(0, 1fr) ${widthsOf(columns)} 68px`
}

/** The grid template of a row at rest. */
export function restTemplateOf(columns: readonly Column[]): string {
  return templateOf(columns.filter((column) => !isMovingColumn(column)))
}

/** The grid template of a row whose button has words: the button takes what it needs, but no more than half. */
export function labeledTemplateOf(columns: readonly Column[]): string {
  const others = columns.filter((column) => !isMovingColumn(column))
  if (others.length === 0) return 'minmax(0, 1fr) fit-content(50%)'
  return `minmax(0, 1fr) fit-content(40%) ${widthsOf(others)} 32px`
}

function widthsOf(columns: readonly Column[]): string {
  return columns.map((column) => `${String(WIDTHS[column])}px`).join(' ')
}

/** The columns that are shown. */
export const ShownColumns = createContext<readonly Column[]>(USUAL_COLUMNS)

export function useShownColumns(): readonly Column[] {
  return useContext(ShownColumns)
}
