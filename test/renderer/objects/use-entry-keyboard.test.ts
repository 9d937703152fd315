import { expect, test } from 'vitest'
import { indexStartingWith } from '../../../renderer/objects/use-entry-keyboard.ts'
import { folderEntry } from '../../../renderer/state/objects/listing.ts'

const shown = ['alpha/', 'Beta/', 'beta 2/', 'gamma/'].map((key) => folderEntry(key, ''))

test('typing finds the next name that begins so, round the end', () => {
  expect(indexStartingWith(shown, 'b', 0)).toBe(1)
  expect(indexStartingWith(shown, 'b', 1)).toBe(2)
  expect(indexStartingWith(shown, 'b', 2)).toBe(1)
  expect(indexStartingWith(shown, 'beta', 1)).toBe(1)
  expect(indexStartingWith(shown, 'beta ', 1)).toBe(2)
  expect(indexStartingWith(shown, 'x', 0)).toBeNull()
})
