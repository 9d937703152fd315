// The layout of the transfer list: which line is at which height. Pure.

import type { TransferGroup } from '../../../shared/transfer/transfer-group.ts'
import type { TransferId } from '../../../shared/transfer/transfer.ts'

/** The rows of one group in display order. */
export interface Section {
  readonly group: TransferGroup
  readonly ids: readonly TransferId[]
  /** Null: the group has no head, because nothing else is shown. */
  readonly head: { readonly isCollapsed: boolean } | null
}

/** A folder transfer whose files are shown below it. */
export interface OpenedRow {
  readonly id: TransferId
  readonly group: TransferGroup
  /** Its index in the group, from 0. */
  readonly row: number
  /** The number of lines for its files. */
  readonly files: number
}

/** A line of the list: the head of a group, a transfer, or a file of a folder transfer. */
export type Line = LinePlace &
  (
    | { readonly kind: 'head'; readonly section: Section }
    | { readonly kind: 'row'; readonly id: TransferId }
    | { readonly kind: 'file'; readonly id: TransferId; readonly number: number }
  )

interface LinePlace {
  /** The index of the line, from 0, counting heads and files. */
  readonly index: number
  readonly group: TransferGroup
  /** The distance from the top of the list, and the height, in pixels. */
  readonly top: number
  readonly height: number
}

export interface ListLayout {
  readonly count: number
  /** The height of all lines together, pixels. */
  readonly height: number
  /** Returns null if there is no such line. */
  lineAt(index: number): Line | null
  /** The line at a distance from the top; below all lines, the last one. */
  indexAtHeight(top: number): number
  /** The index of the line of a row, by its group and its index in the group; a `row` of -1 is the group's head. */
  indexOf(group: TransferGroup, row: number): number
}

export const HEAD_HEIGHT = 32
export const ROW_HEIGHT = 56
/** The height of a row with one line of text: finished transfers, and in a compact list all of them. */
export const LINE_HEIGHT = 36
/** The height of a row of a narrow list that says below its name, in full, why its transfer doesn't go on. */
export const TALL_HEIGHT = 100
export const FILE_HEIGHT = 32

/** A run of lines of one kind and height. */
interface Block {
  readonly kind: Line['kind']
  readonly section: Section
  /** For files: the transfer that they belong to. */
  readonly id: TransferId
  /** The index in the group of the first row, or the number of the first file. */
  readonly from: number
  readonly lines: number
  readonly lineHeight: number
  readonly firstIndex: number
  readonly top: number
}

/** How high the rows are. */
export interface RowHeights {
  readonly isCompact: boolean
  /** Which rows are as high as `TALL_HEIGHT`; null: none. */
  readonly isTall: ((id: TransferId) => boolean) | null
}

const USUAL_HEIGHTS: RowHeights = { isCompact: false, isTall: null }

/**
 * Lays out the lines of the list, as fast for 100,000 rows or files as for one, unless some rows are taller. `opened`
 * must be in display order. Pure.
 */
export function layoutList(
  sections: readonly Section[],
  opened: readonly OpenedRow[] = [],
  { isCompact, isTall }: RowHeights = USUAL_HEIGHTS,
): ListLayout {
  const blocks: Block[] = []
  let count = 0
  let height = 0
  function add(block: Omit<Block, 'firstIndex' | 'top'>): void {
    if (block.lines === 0) return
    blocks.push({ ...block, firstIndex: count, top: height })
    count += block.lines
    height += block.lines * block.lineHeight
  }
  /** Adds the rows of a section from one index up to another, in runs of the same height. */
  function addRows(section: Section, from: number, to: number): void {
    const isLine = isCompact || section.group === 'done'
    const heightAt = (row: number): number => {
      if (isLine) return LINE_HEIGHT
      return isTall?.(section.ids[row] ?? '') === true ? TALL_HEIGHT : ROW_HEIGHT
    }
    for (let start = from, end = from; start < to; start = end) {
      const lineHeight = heightAt(start)
      end = isLine || isTall === null ? to : start + 1
      while (end < to && heightAt(end) === lineHeight) end += 1
      add({ kind: 'row', section, id: '', from: start, lines: end - start, lineHeight })
    }
  }
  for (const section of sections) {
    const { group, ids, head } = section
    if (head !== null) add({ kind: 'head', section, id: '', from: -1, lines: 1, lineHeight: HEAD_HEIGHT })
    if (head?.isCollapsed === true) continue
    let from = 0
    for (const { id, row, files } of opened.filter((each) => each.group === group)) {
      addRows(section, from, row + 1)
      add({ kind: 'file', section, id, from: 0, lines: files, lineHeight: FILE_HEIGHT })
      from = row + 1
    }
    addRows(section, from, ids.length)
  }

  return {
    count,
    height,
    lineAt(index) {
      const block = blocks.findLast(({ firstIndex }) => firstIndex <= index)
      return block === undefined || index < 0 || index >= count ? null : lineOf(block, index)
    },
    indexAtHeight(top) {
      const block = blocks.findLast((each) => each.top <= top) ?? blocks[0]
      if (block === undefined) return 0
      const below = Math.max(0, Math.floor((top - block.top) / block.lineHeight))
      return block.firstIndex + Math.min(below, block.lines - 1)
    },
    indexOf(group, row) {
      const block = blocks.find(
        ({ kind, section, from, lines }) =>
          kind !== 'file' && section.group === group && row >= from && row < from + lines,
      )
      return block === undefined ? -1 : block.firstIndex + row - block.from
    },
  }
}

function lineOf({ kind, section, id, from, lineHeight, firstIndex, top }: Block, index: number): Line | null {
  const nth = index - firstIndex
  const place = { index, group: section.group, top: top + nth * lineHeight, height: lineHeight }
  if (kind === 'head') return { kind, section, ...place }
  if (kind === 'file') return { kind, id, number: from + nth, ...place }
  const rowId = section.ids[from + nth]
  return rowId === undefined ? null : { kind, id: rowId, ...place }
}

/** The key by which the focus on a line is remembered: for a transfer, its id. */
export function keyOf(line: Line): string {
  if (line.kind === 'head') return headKey(line.group)
  return line.kind === 'file' ? fileKey(line.id, line.number) : line.id
}

/** The key of a file of a folder transfer. */
export function fileKey(id: TransferId, number: number): string {
  return `${id}#${String(number)}`
}

/** The file with this key; null: it is another kind of line. */
export function fileOfKey(key: string): { readonly id: TransferId; readonly number: number } | null {
  const cut = key.indexOf('#')
  return cut < 0 ? null : { id: key.slice(0, cut), number: Number(key.slice(cut + 1)) }
}

/** The transfer that a line belongs to; null for the head of a group. */
export function transferOfKey(key: string): TransferId | null {
  return isHeadKey(key) ? null : (fileOfKey(key)?.id ?? key)
}

/** Whether it is the key of a transfer, and not that of a file or of the head of a group. */
export function isRowKey(key: string): boolean {
  return transferOfKey(key) === key
}

/** The key of the head of a group. */
export function headKey(group: TransferGroup): string {
  return `group:${group}`
}

export function isHeadKey(key: string): boolean {
  return key.startsWith('group:')
}
