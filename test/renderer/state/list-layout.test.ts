import { expect, it } from 'vitest'
import { DONE_HEIGHT, HEAD_HEIGHT, layoutList, ROW_HEIGHT, type Section } from '../../../renderer/state/list-layout.ts'
import { keyNear } from '../../../renderer/state/shown-ids.ts'

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
  expect(top).toBe(3 * HEAD_HEIGHT + 2 * ROW_HEIGHT + 2 * DONE_HEIGHT)
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
