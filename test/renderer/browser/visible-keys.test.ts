import { expect, test } from 'vitest'
import { entriesOfPage } from '../../../renderer/state/objects/listing.ts'
import { locationName, stepsTo } from '../../../renderer/state/objects/location.ts'
import type { Place } from '../../../shared/place/place.ts'
import { visibleText } from '../../../shared/visible-text.ts'

const FACTS = { sizeBytes: 1, etag: '', lastModified: '2026-01-02T03:04:05.000Z' }
const SPOOFED = 'holiday\u202egpj.exe'

test('T66: keys with controls are written out, their extensions where they are, and stay what they are', () => {
  const keys = [SPOOFED, 'line\nbreak\u0000', 'zero\u200bwidth', '\u2067right\u2069', 'tab\there', 'c1\u0085', '\ud800']
  const entries = entriesOfPage(
    { prefixes: ['\u202eatad/'], objects: keys.map((key) => ({ key, ...FACTS })), nextMarker: null },
    '',
  )
  expect(entries.map(({ name }) => name)).toEqual([
    '‛u202eatad',
    'holiday‛u202egpj.exe',
    'line␊break␀',
    'zero‛u200bwidth',
    '‛u2067right‛u2069',
    'tab␉here',
    'c1‛u0085',
    '‛ud800',
  ])
  expect(entries.map(({ key }) => key)).toEqual(['\u202eatad/', ...keys])
})

test('T66: so are the names of folders on the way, and in sentences', () => {
  const place = { id: 'studio', name: 'Studio', bucket: 'media' } as Place
  const location = { placeId: 'studio', bucket: 'media', prefix: 'a\u202e/b\r/' }
  expect(stepsTo(location, place).map(({ label }) => label)).toEqual(['Studio', 'a‛u202e', 'b␍'])
  expect(stepsTo(location, place).at(-1)?.location).toEqual(location)
  expect(locationName(location, place)).toBe('Studio / a‛u202e/b␍/')
  const imported = { ...place, name: 'Studio \u202egnp' }
  expect(stepsTo({ ...location, prefix: '' }, imported)[0]?.label).toBe('Studio ‛u202egnp')
})

test('other writing, emoji and what was written out before stay as they are', () => {
  for (const text of ['日本語 – Ä e\u0301.mov', 'שלום.txt', '❤️ 📷', visibleText(SPOOFED)])
    expect(visibleText(text)).toBe(text)
})
