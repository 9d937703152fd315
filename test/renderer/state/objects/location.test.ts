import { expect, test } from 'vitest'
import { locationAbove, locationName, stepsTo, topOf } from '../../../../renderer/state/objects/location.ts'
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

test('goes no higher than the folder that the place begins in', () => {
  const ann = { ...place('media'), folder: 'home/ann/' }
  expect(topOf(ann)).toEqual(location('media', 'home/ann/'))
  expect(locationAbove(location('media', 'home/ann/a/'), ann)).toEqual(location('media', 'home/ann/'))
  expect(locationAbove(location('media', 'home/ann/'), ann)).toBeNull()
  expect(stepsTo(location('media', 'home/ann/a/'), ann).map(({ label }) => label)).toEqual(['Studio', 'a'])
  expect(locationName(location('media', 'home/ann/'), ann)).toBe('Studio')
  expect(locationName(location('media', 'home/ann/a/'), ann)).toBe('Studio / a/')
  // Links lead elsewhere, too.
  expect(stepsTo(location('media', 'else/'), ann).map(({ label }) => label)).toEqual(['media', 'else'])
  expect(locationName(location('media', 'else/'), ann)).toBe('Studio / else/')
})

test('names every step on the way, also folders without a name', () => {
  expect(stepsTo(location('media', 'a//'), place('')).map(({ label }) => label)).toEqual(['Studio', 'media', 'a', '/'])
  expect(stepsTo(location('media', 'a/b/'), place('media')).map(({ label }) => label)).toEqual(['Studio', 'a', 'b'])
  expect(locationName(location('media', 'a/'), place(''))).toBe('Studio / media / a/')
})
