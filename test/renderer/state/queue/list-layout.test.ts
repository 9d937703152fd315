import { expect, it } from 'vitest'
import {
  LINE_HEIGHT,
  FILE_HEIGHT,
  HEAD_HEIGHT,
  keyOf,
  layoutList,
  ROW_HEIGHT,
  TALL_HEIGHT,
  type ListLayout,
  type Section,
} from '../../../../renderer/state/queue/list-layout.ts'
import { keyNear } from '../../../../renderer/state/shown-ids.ts'

const open = { isCollapsed: false }
const sections: readonly Section[] = [
  { group: 'active', ids: ['a', 'b'], head: open },
  { group: 'waiting', ids: ['w'], head: { isCollapsed: true } },
  { group: 'done', ids: ['d', 'e'], head: open },
]

it('lays heads and rows one below another, and none of a closed group', () => {
  const layout = layoutList(sections)
  const lines = Array.from({ length: layout.count }, (_, index) => layout.lineAt(index))
  expect(lines.map((line) => (line?.kind === 'row' ? line.id : line?.group))).toEqual([
    ...['active', 'a', 'b'],
    'waiting',
    ...['done', 'd', 'e'],
  ])
  let top = 0
  for (const line of lines) {
    expect(line?.top).toBe(top)
    top += line?.height ?? 0
  }
  expect(layout.height).toBe(top)
  expect(top).toBe(3 * HEAD_HEIGHT + 2 * ROW_HEIGHT + 2 * LINE_HEIGHT)
})

it('finds every line by any height in it, and the nearest beyond', () => {
  const layout = layoutList(sections)
  for (let index = 0; index < layout.count; index += 1) {
    const line = layout.lineAt(index)
    expect(layout.indexAtHeight(line?.top ?? 0)).toBe(index)
    expect(layout.indexAtHeight((line?.top ?? 0) + (line?.height ?? 0) - 1)).toBe(index)
  }
  expect([layout.indexAtHeight(-5), layout.indexAtHeight(99_999)]).toEqual([0, layout.count - 1])
})

it('knows the line of a row and of a head', () => {
  const layout = layoutList(sections)
  expect([layout.indexOf('done', 1), layout.indexOf('done', -1), layout.indexOf('waiting', 0)]).toEqual([6, 4, -1])
  const plain = layoutList([{ group: 'done', ids: ['d'], head: null }])
  expect([plain.count, plain.indexOf('done', 0), plain.indexOf('done', -1)]).toEqual([1, 0, -1])
})

it('gives focus to the row that took the place of one that left, else to what is nearest', () => {
  const layout = layoutList(sections)
  expect([keyNear(layout, 2), keyNear(layout, 4), keyNear(layout, 3), keyNear(layout, 99)]).toEqual([
    'b',
    'd',
    'group:waiting',
    'e',
  ])
  expect(keyNear(layoutList([]), 0)).toBeNull()
})

it('puts the files of an open folder below its row', () => {
  const opened = [{ id: 'b', group: 'paused', row: 1, files: 100_000 } as const]
  const three: Section = { group: 'paused', ids: ['a', 'b', 'c'], head: { isCollapsed: false } }
  const layout = layoutList([three, { group: 'done', ids: ['d'], head: { isCollapsed: false } }], opened)
  expect(layout.count).toBe(100_006)
  expect([0, 1, 2, 3, 100_002, 100_003, 100_004, 100_005].map((index) => keyAt(layout, index))).toEqual([
    'group:paused',
    'a',
    'b',
    'b#0',
    'b#99999',
    'c',
    'group:done',
    'd',
  ])
  const below = HEAD_HEIGHT + 2 * ROW_HEIGHT
  expect(layout.lineAt(4)).toMatchObject({ top: below + FILE_HEIGHT, height: FILE_HEIGHT })
  expect(layout.indexAtHeight(below + 50_000 * FILE_HEIGHT + 1)).toBe(50_003)
  expect([layout.indexOf('paused', 1), layout.indexOf('paused', 2), layout.indexOf('done', 0)]).toEqual([
    2, 100_003, 100_005,
  ])
})

it('gives tall rows their height between others, but in no compact list', () => {
  const mixed: readonly Section[] = [
    { group: 'waiting', ids: ['a', 'T', 'U', 'b'], head: open },
    { group: 'done', ids: ['D'], head: open },
  ]
  const isTall = (id: string) => id === id.toUpperCase()
  const heightsOf = (layout: ListLayout) =>
    Array.from({ length: layout.count }, (_, index) => layout.lineAt(index)).map((line) => line?.height)
  const layout = layoutList(mixed, [], { isCompact: false, isTall })
  expect(heightsOf(layout)).toEqual([
    ...[HEAD_HEIGHT, ROW_HEIGHT, TALL_HEIGHT, TALL_HEIGHT, ROW_HEIGHT],
    ...[HEAD_HEIGHT, LINE_HEIGHT],
  ])
  for (let index = 0; index < layout.count; index += 1) {
    expect(layout.indexAtHeight(layout.lineAt(index)?.top ?? -1)).toBe(index)
  }
  expect([layout.indexOf('waiting', 3), layout.indexOf('done', 0)]).toEqual([4, 6])
  expect(layoutList(mixed, [], { isCompact: true, isTall }).height).toBe(2 * HEAD_HEIGHT + 5 * LINE_HEIGHT)
})

function keyAt(layout: ListLayout, index: number): string {
  const line = layout.lineAt(index)
  return line === null ? 'none' : keyOf(line)
}
