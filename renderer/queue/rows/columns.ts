// Which columns the list shows beside the name, and how wide they are.

import { createContext, useContext } from 'react'
import { USUAL_COLUMNS, type Column } from '../../../shared/transfer/queue-view.ts'

/** Pixels. */
const WIDTHS: Readonly<Record<Column, number>> = { progress: 52, speed: 76, left: 84, place: 96, size: 72, added: 88 }
/** What a row has beside its columns and the name: edges, the column of buttons and the gap before it. */
const REST = 32 + 68 + 8
const GAP = 8
/** A name has at least so much. */
const MIN_NAME = 290

/** What is worth most where not all fit. */
const WORTH: readonly Column[] = ['progress', 'speed', 'left', 'size', 'place', 'added']

/** These tell of what moves; a row at rest has words in their place. */
const MOVING: ReadonlySet<Column> = new Set(['progress', 'speed', 'left'])

/** The chosen columns that a list of so many pixels has room for, in its order. Pure. */
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

/** The grid's columns of heads, and of rows that have all of them. */
export function templateOf(columns: readonly Column[]): string {
  return `minmax(0, 1fr) ${widthsOf(columns)} 68px`
}

/** Of a row at rest. */
export function restTemplateOf(columns: readonly Column[]): string {
  return templateOf(columns.filter((column) => !isMovingColumn(column)))
}

/** Of a row whose button has words: it takes what it needs, and no more than half. */
export function labelledTemplateOf(columns: readonly Column[]): string {
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
