import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createPartsMap } from '../../../electron/engine/transfer/parts-map.ts'
import type { UnitState } from '../../../shared/transfer/transfer.ts'

const anyState = fc.constantFrom<UnitState>('waiting', 'begun', 'active', 'done', 'found', 'retrying', 'failed')

test('a small map shows every part; parts beyond it are ignored', () => {
  const map = createPartsMap(3, 8)
  map.set(1, 'active')
  map.set(2, 'found')
  map.set(3, 'done')
  expect(map.cells()).toEqual({ unitsPerCell: 1, cells: ['waiting', 'active', 'found'] })
  expect(map.doneCount).toBe(1)
})

test('what is there of a part shows while nothing moves in it, until all of it is there', () => {
  const map = createPartsMap(4, 8)
  map.set(0, 'active')
  map.set(0, 'begun')
  map.set(1, 'begun')
  map.set(1, 'waiting')
  map.set(2, 'retrying')
  expect(map.cells().cells).toEqual(['active', 'begun', 'retrying', 'waiting'])
  map.settle()
  expect(map.cells().cells).toEqual(['begun', 'begun', 'waiting', 'waiting'])
  expect(map.doneCount).toBe(0)
  map.set(0, 'done')
  map.set(0, 'waiting')
  expect(map.cells().cells).toEqual(['waiting', 'begun', 'waiting', 'waiting'])
})

test('a cell of several parts shows the one that needs eyes', () => {
  const map = createPartsMap(10_000, 8)
  for (let index = 0; index < 10_000; index += 1) map.set(index, 'done')
  map.set(3, 'retrying')
  map.set(9999, 'waiting')
  const { unitsPerCell, cells } = map.cells()
  expect([unitsPerCell, cells.length, cells[0], cells[1], cells[1999]]).toEqual([
    5,
    2000,
    'retrying',
    'done',
    'waiting',
  ])
})

test('the count of parts that are there is true, and cells never exceed 2,000', () => {
  const changes = fc.array(fc.tuple(fc.nat(6000), anyState))
  fc.assert(
    fc.property(fc.nat(6000), changes, (count, sets) => {
      const map = createPartsMap(count, 1)
      const units = new Map<number, UnitState>()
      for (const [index, state] of sets) {
        map.set(index, state)
        if (index < count) units.set(index, state)
      }
      const there = [...units.values()].filter((state) => state === 'done' || state === 'found')
      const { unitsPerCell, cells } = map.cells()
      expect(map.doneCount).toBe(there.length)
      expect(cells.length).toBe(Math.ceil(count / unitsPerCell))
      expect(cells.length).toBeLessThanOrEqual(2000)
    }),
  )
})

test('takes no memory for the units that a server merely claims', () => {
  expect(createPartsMap(1_000_000_000, 8_388_608).unitCount).toBe(8_000_000)
})
