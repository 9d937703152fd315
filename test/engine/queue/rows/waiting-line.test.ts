import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createWaitingLine, type Waiting } from '../../../../electron/engine/queue/rows/waiting-line.ts'

const LANES = 3
const item = (position: number): Waiting => ({ id: String(position), exclusiveKey: 'k', position })
const laneOf = ({ position }: Waiting): string => String(position % LANES)

test('each lane is in order of position however the line was filled', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat()), fc.uniqueArray(fc.nat()), (before, after) => {
      const line = createWaitingLine(laneOf)
      for (const position of before) line.add(item(position))
      line.lanes()
      for (const position of after) line.add(item(position))
      for (const position of before.slice(0, 3)) line.delete(String(position))
      const left = [...new Set([...before, ...after])].filter((position) => !before.slice(0, 3).includes(position))
      const inLanes = line.lanes().map((lane) => [...lane].map(({ position }) => position))
      for (const lane of inLanes) {
        expect(lane).toEqual([...lane].sort((a, b) => a - b))
        expect(new Set(lane.map((position) => position % LANES)).size).toBe(1)
      }
      expect(new Set(inLanes.flat())).toEqual(new Set(left))
      expect(inLanes.flat()).toHaveLength(line.size)
      expect(line.size).toBe(left.length)
    }),
  )
})

test('one whose lane is another by now is where it was, and leaves from there', () => {
  let lane = 'old'
  const line = createWaitingLine(() => lane)
  line.add(item(1))
  lane = 'new'
  line.delete('1')
  expect(line.lanes()).toEqual([])
  line.add(item(1))
  line.add(item(1))
  expect(line.lanes().map((each) => [...each].length)).toEqual([1])
})
