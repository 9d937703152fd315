// Which row of the transfer list is at which height: sections, heads and lines. Pure.

import type { TransferGroup } from '../../../shared/transfer/transfer-group.ts'
import type { TransferId } from '../../../shared/transfer/transfer.ts'

/** The rows of one group, as they are shown. */
export interface Section {
  readonly group: TransferGroup
  readonly ids: readonly TransferId[]
  /** Null: it has no head, because it is all that is shown. */
  readonly head: { readonly isCollapsed: boolean } | null
}

/** A folder transfer whose files are shown below it. */
export interface OpenedRow {
  readonly id: TransferId
  readonly group: TransferGroup
  /** Its place in the group, from 0. */
  readonly row: number
  /** How many lines its files take. */
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
  /** From 0, heads and files counted. */
  readonly index: number
  readonly group: TransferGroup
  /** Distance from the top of the list, and height, in pixels. */
  readonly top: number
  readonly height: number
}

export interface ListLayout {
  readonly count: number
  /** Of all lines together, pixels. */
  readonly height: number
  /** Null: there is none. */
  lineAt(index: number): Line | null
  /** The line at a distance from the top, the last one below all. */
  indexAtHeight(top: number): number
  /** Where a line begins of which group and place in the group are known; a `row` of -1 is the head. */
  indexOf(group: TransferGroup, row: number): number
}

export const HEAD_HEIGHT = 32
export const ROW_HEIGHT = 56
/** One line of text: what is done, and where the list is compact every transfer. */
export const LINE_HEIGHT = 36
export const FILE_HEIGHT = 32

/** Lines of one kind and height, one after another. */
interface Block {
  readonly kind: Line['kind']
  readonly section: Section
  /** Of files: whose. */
  readonly id: TransferId
  /** Place in the group of the first, or number of the first file. */
  readonly from: number
  readonly lines: number
  readonly lineHeight: number
  readonly firstIndex: number
  readonly top: number
}

/**
 * Where the lines of the list are. As quick for 100,000 rows, or files, as for one. `opened` in the order of the list.
 * Pure.
 */
export function layoutList(
  sections: readonly Section[],
  opened: readonly OpenedRow[] = [],
  isCompact = false,
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
  for (const section of sections) {
    const { group, ids, head } = section
    const lineHeight = isCompact || group === 'done' ? LINE_HEIGHT : ROW_HEIGHT
    const rows = { kind: 'row', section, id: '', lineHeight } as const
    if (head !== null) add({ kind: 'head', section, id: '', from: -1, lines: 1, lineHeight: HEAD_HEIGHT })
    if (head?.isCollapsed === true) continue
    let from = 0
    for (const { id, row, files } of opened.filter((each) => each.group === group)) {
      add({ ...rows, from, lines: row + 1 - from })
      add({ kind: 'file', section, id, from: 0, lines: files, lineHeight: FILE_HEIGHT })
      from = row + 1
    }
    add({ ...rows, from, lines: ids.length - from })
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

/** What focus on a line is remembered by: of a transfer its id. */
export function keyOf(line: Line): string {
  if (line.kind === 'head') return headKey(line.group)
  return line.kind === 'file' ? fileKey(line.id, line.number) : line.id
}

/** What focus on a file of a folder transfer is remembered by. */
export function fileKey(id: TransferId, number: number): string {
  return `${id}#${String(number)}`
}

/** The file that a key means; null: it is another kind of line. */
export function fileOfKey(key: string): { readonly id: TransferId; readonly number: number } | null {
  const cut = key.indexOf('#')
  return cut < 0 ? null : { id: key.slice(0, cut), number: Number(key.slice(cut + 1)) }
}

/** The transfer that a line belongs to; null: the head of a group. */
export function transferOfKey(key: string): TransferId | null {
  return isHeadKey(key) ? null : (fileOfKey(key)?.id ?? key)
}

/** What focus on the head of a group is remembered by, where that on a row is by its id. */
export function headKey(group: TransferGroup): string {
  return `group:${group}`
}

export function isHeadKey(key: string): boolean {
  return key.startsWith('group:')
}
