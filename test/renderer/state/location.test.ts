import { expect, test } from 'vitest'
import { locationAbove, locationName, stepsTo } from '../../../renderer/state/location.ts'
import type { Place } from '../../../shared/place/place.ts'

const place = (bucket: string) => ({ id: 'studio', name: 'Studio', bucket }) as Place
const spot = (bucket: string, prefix: string) => ({ placeId: 'studio', bucket, prefix })

test('goes up folder by folder, to the buckets only where the place spans several', () => {
  expect(locationAbove(spot('media', 'a/b/'), place('media'))).toEqual(spot('media', 'a/'))
  expect(locationAbove(spot('media', 'a/'), place('media'))).toEqual(spot('media', ''))
  expect(locationAbove(spot('media', ''), place('media'))).toBeNull()
  expect(locationAbove(spot('media', ''), place(''))).toEqual(spot('', ''))
  expect(locationAbove(spot('', ''), place(''))).toBeNull()
  expect(locationAbove(spot('media', '//'), place('media'))).toEqual(spot('media', '/'))
  expect(locationAbove(spot('media', '/'), place('media'))).toEqual(spot('media', ''))
})

test('names every step on the way, also folders without a name', () => {
  expect(stepsTo(spot('media', 'a//'), place('')).map(({ label }) => label)).toEqual(['Studio', 'media', 'a', '/'])
  expect(stepsTo(spot('media', 'a/b/'), place('media')).map(({ label }) => label)).toEqual(['Studio', 'a', 'b'])
  expect(locationName(spot('media', 'a/'), place(''))).toBe('Studio / media / a/')
})
