import { expect, it } from 'vitest'
import { sortedInTurns } from '../../../electron/engine/async/sorted-in-turns.ts'

it('sorts as a stable sort does, and lets others have their turn meanwhile', async () => {
  const items = Array.from({ length: 45_678 }, (_, index) => ({ index, rank: (index * 7919) % 1009 }))
  const compare = (one: { rank: number }, other: { rank: number }) => one.rank - other.rank
  let turns = 0
  let isOver = false
  const count = () => {
    turns += 1
    if (!isOver) setImmediate(count)
  }
  count()
  const sorted = await sortedInTurns(items, compare)
  isOver = true
  expect(sorted).toEqual([...items].sort(compare))
  expect(turns).toBeGreaterThan(5)
  expect(await sortedInTurns([], compare)).toEqual([])
})
