import { expect, test } from 'vitest'
import {
  isInChosenFolder,
  NOTHING_CHOSEN,
  toggleFolder,
  toggleObject,
} from '../../../renderer/downloads/picked-objects.ts'

const object = (key: string) => ({ key, sizeBytes: 1, etag: '', lastModified: '' })

test('picking a folder takes in what was picked inside it, and nothing else', () => {
  let chosen = toggleObject(NOTHING_CHOSEN, object('media/a.mov'))
  chosen = toggleObject(chosen, object('media.txt'))
  chosen = toggleFolder(chosen, 'media/raw/')
  chosen = toggleFolder(chosen, 'media/')
  expect([...chosen.objects.keys()]).toEqual(['media.txt'])
  expect([...chosen.folders]).toEqual(['media/'])
  expect(
    ['media/a.mov', 'media/raw/', 'media.txt', 'media/', 'raw/media/'].map((key) => isInChosenFolder(chosen, key)),
  ).toEqual([true, true, false, false, false])
})

test('what is picked can be put back', () => {
  const chosen = toggleFolder(toggleObject(NOTHING_CHOSEN, object('a')), 'media/')
  expect(toggleFolder(toggleObject(chosen, object('a')), 'media/')).toEqual(NOTHING_CHOSEN)
})
