import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cellAt, countCells, layoutMap, nameCell } from '../../../renderer/inspector/parts-map-layout.ts'
import { MAX_PARTS_MAP_CELLS } from '../../../shared/limits.ts'

test('up to 600 cells are large, more are small', () => {
  expect(layoutMap(600, 268)).toMatchObject({ columns: 22, rows: 28, width: 10, cell: 10, pitch: 12, height: 334 })
  expect(layoutMap(601, 268)).toMatchObject({ columns: 38, rows: 16, width: 6, cell: 6, pitch: 7, height: 111 })
  // Few cells are one line from edge to edge.
  expect(layoutMap(8, 268)).toMatchObject({ columns: 8, rows: 1, width: 31.75, pitch: 33.75, height: 10 })
})

test('every cell is found where it is drawn, inside the map', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: MAX_PARTS_MAP_CELLS }), fc.integer({ min: 20, max: 600 }), (count, width) => {
      const layout = layoutMap(count, width)
      for (const index of [0, count - 1, count >> 1]) {
        const x = (index % layout.columns) * layout.pitch
        const y = Math.floor(index / layout.columns) * layout.rowPitch
        expect(x + layout.width).toBeLessThanOrEqual(Math.max(width, layout.cell) + 1e-9)
        expect(y + layout.cell).toBeLessThanOrEqual(layout.height)
        expect(cellAt(layout, count, x + 1, y + 1)).toBe(index)
      }
      expect(cellAt(layout, count, -1, 0)).toBeNull()
      expect(cellAt(layout, count, 0, layout.height + layout.rowPitch)).toBeNull()
    }),
  )
})

test('the legend counts what there is', () => {
  expect(countCells(['waiting', 'done', 'done', 'active'])).toEqual([
    ['done', 2],
    ['active', 1],
    ['waiting', 1],
  ])
})

test('a cell names its parts, the last one only those there are', () => {
  expect(nameCell(411, 1, 1270, 'upload')).toBe('Part 412')
  expect(nameCell(82, 5, 413, 'upload')).toBe('Parts 411–413')
})
