import { expect, it } from 'vitest'
import { matchesPlace } from '../../../renderer/places/place-filter.ts'

const PLACE = { name: 'Büro Nord', label: 'Backup', endpoint: 'https://s3.example.com', bucket: 'archive' }

it.each(['', ' ', 'büro', 'BÜRO', 'backup', 's3.example', 'archive', 'nord backup', ' backup  arch '])(
  'finds a place by “%s”',
  (text) => expect(matchesPlace(PLACE, text)).toBe(true),
)

it.each(['süd', 'büro süd', 'backuparchive'])('does not find it by “%s”', (text) => {
  expect(matchesPlace(PLACE, text)).toBe(false)
})

it('finds one without a label', () => {
  const { label: _, ...unlabeled } = PLACE
  expect([matchesPlace(unlabeled, 'nord'), matchesPlace(unlabeled, 'backup')]).toEqual([true, false])
})
