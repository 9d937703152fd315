import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createQueuedLanes, type Queued } from '../../../../electron/engine/queue/rows/queued-lanes.ts'

const LANES = 3
const item = (position: number): Queued => ({ id: String(position), exclusiveKey: 'k', position })
const laneOf = ({ position }: Queued): string => String(position % LANES)

test('each lane is in order of position however they were filled', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat()), fc.uniqueArray(fc.nat()), (before, after) => {
      const queued = createQueuedLanes(laneOf)
      for (const position of before) queued.add(item(position))
      queued.lanes()
      for (const position of after) queued.add(item(position))
      for (const position of before.slice(0, 3)) queued.delete(String(position))
      const left = [...new Set([...before, ...after])].filter((position) => !before.slice(0, 3).includes(position))
      const inLanes = queued.lanes().map((lane) => [...lane].map(({ position }) => position))
      for (const lane of inLanes) {
        expect(lane).toEqual([...lane].sort((a, b) => a - b))
        expect(new Set(lane.map((position) => position % LANES)).size).toBe(1)
      }
      expect(new Set(inLanes.flat())).toEqual(new Set(left))
      expect(inLanes.flat()).toHaveLength(queued.size)
      expect(queued.size).toBe(left.length)
    }),
  )
})

test('one whose lane is another by now is where it was, and leaves from there', () => {
  let lane = 'old'
  const queued = createQueuedLanes(() => lane)
  queued.add(item(1))
  lane = 'new'
  queued.delete('1')
  expect(queued.lanes()).toEqual([])
  queued.add(item(1))
  queued.add(item(1))
  expect(queued.lanes().map((each) => [...each].length)).toEqual([1])
})
