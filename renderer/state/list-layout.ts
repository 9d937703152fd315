// Which row of the transfer list is at which height: sections, heads and lines. Pure.

import type { TransferGroup } from '../../shared/transfer/transfer-group.ts'
import type { TransferId } from '../../shared/transfer/transfer.ts'

/** The rows of one group, as they are shown. */
export interface Section {
  readonly group: TransferGroup
  readonly ids: readonly TransferId[]
  /** Null: it has no head, because it is all that is shown. */
  readonly head: { readonly isCollapsed: boolean } | null
}

/** A line of the list: the head of a group, or a transfer. */
export type Line = LinePlace &
  ({ readonly kind: 'head'; readonly section: Section } | { readonly kind: 'row'; readonly id: TransferId })

interface LinePlace {
  /** From 0, heads counted. */
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
/** What is done takes one line of text. */
export const DONE_HEIGHT = 36

interface Block {
  readonly section: Section
  readonly firstIndex: number
  readonly top: number
  readonly headHeight: number
  readonly rowHeight: number
  readonly shown: number
}

/** Where the lines of the list are. As quick for 100,000 rows as for one. Pure. */
export function layoutList(sections: readonly Section[]): ListLayout {
  const blocks: Block[] = []
  let count = 0
  let height = 0
  for (const section of sections) {
    const headHeight = section.head === null ? 0 : HEAD_HEIGHT
    const rowHeight = section.group === 'done' ? DONE_HEIGHT : ROW_HEIGHT
    const shown = section.head?.isCollapsed === true ? 0 : section.ids.length
    blocks.push({ section, firstIndex: count, top: height, headHeight, rowHeight, shown })
    count += shown + (headHeight > 0 ? 1 : 0)
    height += headHeight + shown * rowHeight
  }

  const heads = (block: Block): number => (block.headHeight > 0 ? 1 : 0)

  return {
    count,
    height,
    lineAt(index) {
      const block = blocks.findLast(({ firstIndex }) => firstIndex <= index)
      if (block === undefined || index < 0 || index >= count) return null
      const { section, top, headHeight, rowHeight, firstIndex } = block
      const row = index - firstIndex - heads(block)
      const { group } = section
      if (row < 0) return { kind: 'head', section, group, index, top, height: headHeight }
      const id = section.ids[row]
      if (id === undefined) return null
      return { kind: 'row', id, group, index, top: top + headHeight + row * rowHeight, height: rowHeight }
    },
    indexAtHeight(top) {
      const block = blocks.findLast((each) => each.top <= top) ?? blocks[0]
      if (block === undefined) return 0
      const below = top - block.top - block.headHeight
      const row = below < 0 ? -heads(block) : Math.min(Math.floor(below / block.rowHeight), block.shown - 1)
      return Math.max(0, block.firstIndex + heads(block) + row)
    },
    indexOf(group, row) {
      const block = blocks.find(({ section }) => section.group === group)
      if (block === undefined || row >= block.shown) return -1
      return row < 0 ? (heads(block) > 0 ? block.firstIndex : -1) : block.firstIndex + heads(block) + row
    },
  }
}

/** What focus on the head of a group is remembered by, where that on a row is by its id. */
export function headKey(group: TransferGroup): string {
  return `group:${group}`
}

export function isHeadKey(key: string): boolean {
  return key.startsWith('group:')
}
