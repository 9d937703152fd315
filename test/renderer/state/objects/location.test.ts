import { expect, test } from 'vitest'
import { locationAbove, locationName, stepsTo } from '../../../../renderer/state/objects/location.ts'
import type { Place } from '../../../../shared/place/place.ts'

const place = (bucket: string) => ({ id: 'studio', name: 'Studio', bucket }) as Place
const location = (bucket: string, prefix: string) => ({ placeId: 'studio', bucket, prefix })

test('goes up folder by folder, to the buckets only where the place spans several', () => {
  expect(locationAbove(location('media', 'a/b/'), place('media'))).toEqual(location('media', 'a/'))
  expect(locationAbove(location('media', 'a/'), place('media'))).toEqual(location('media', ''))
  expect(locationAbove(location('media', ''), place('media'))).toBeNull()
  expect(locationAbove(location('media', ''), place(''))).toEqual(location('', ''))
  expect(locationAbove(location('', ''), place(''))).toBeNull()
  expect(locationAbove(location('media', '//'), place('media'))).toEqual(location('media', '/'))
  expect(locationAbove(location('media', '/'), place('media'))).toEqual(location('media', ''))
})

test('names every step on the way, also folders without a name', () => {
  expect(stepsTo(location('media', 'a//'), place('')).map(({ label }) => label)).toEqual(['Studio', 'media', 'a', '/'])
  expect(stepsTo(location('media', 'a/b/'), place('media')).map(({ label }) => label)).toEqual(['Studio', 'a', 'b'])
  expect(locationName(location('media', 'a/'), place(''))).toBe('Studio / media / a/')
})
