import { expect, it } from 'vitest'
import { MAX_DRAWN_HEIGHT, placeAt, scrolled, TOP, type ScrollPlace } from '../../../renderer/queue/tall-list.ts'

const heights = { list: 64_000_000, view: 500 }
const room = MAX_DRAWN_HEIGHT - 500
const range = 64_000_000 - 500
const topOf = ({ scrollTop, shift }: ScrollPlace): number => scrollTop + shift

it('lets a list that fits scroll as it is', () => {
  expect(scrolled(TOP, 1234, { list: 5000, view: 500 })).toEqual({ scrollTop: 1234, shift: 0 })
  expect(placeAt(9999, { list: 5000, view: 500 })).toEqual({ scrollTop: 4500, shift: 0 })
})

it('moves the lines of a taller one as far as a wheel does, and to the same share by the bar', () => {
  const wheeled = scrolled(TOP, 100, heights)
  expect(topOf(wheeled)).toBe(100)
  const dragged = scrolled(wheeled, room / 2, heights)
  expect(topOf(dragged)).toBeCloseTo(range / 2, -2)
  expect(topOf(scrolled(dragged, dragged.scrollTop + 100, heights))).toBeCloseTo(topOf(dragged) + 100, 5)
})

it('reaches both ends, by the bar and by a wheel', () => {
  const end = scrolled(TOP, room, heights)
  expect([end.scrollTop, topOf(end)]).toEqual([room, range])
  let place = placeAt(range - 1000, heights)
  for (let step = 0; step < 40; step += 1) place = scrolled(place, place.scrollTop + 100, heights)
  expect([place.scrollTop, topOf(place)]).toEqual([room, range])
  place = placeAt(1000, heights)
  for (let step = 0; step < 40; step += 1) place = scrolled(place, Math.max(0, place.scrollTop - 100), heights)
  expect(place).toEqual(TOP)
})
