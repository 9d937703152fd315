import { expect, test } from 'vitest'
import { deleteEntries, type Deleter } from '../../../renderer/browser/delete-entries.ts'
import { folderEntry, type Entry } from '../../../renderer/state/listing.ts'

const object = (key: string): Entry => ({ ...folderEntry(`${key}/`, ''), kind: 'object', key, name: key })

function deleterOf(pages: Readonly<Record<string, number>>, failure: string | null = null) {
  const asked: unknown[] = []
  const deleter: Deleter = {
    remove: (keys) => {
      asked.push(keys.length)
      return Promise.resolve({ deleted: keys.length, failure, nextMarker: null })
    },
    removePage: ({ prefix, marker }) => {
      asked.push([prefix, marker])
      const next = Number(marker ?? 0) + 1
      return Promise.resolve({
        deleted: 1000,
        failure: null,
        nextMarker: next < (pages[prefix] ?? 0) ? String(next) : null,
      })
    },
  }
  return { asked, deleter }
}

test('deletes objects by the thousand and folders page by page, and says what is gone whole', async () => {
  const { asked, deleter } = deleterOf({ 'a/': 2, 'b/': 1 })
  const told: unknown[] = []
  const objects = Array.from({ length: 1001 }, (_, index) => object(`k${index}`))
  const entries = [folderEntry('a/', ''), ...objects, folderEntry('b/', '')]
  const { signal } = new AbortController()
  await deleteEntries(deleter, entries, (deleted, gone) => told.push([deleted, gone.size]), signal)
  expect(asked).toEqual([1000, 1, ['a/', null], ['a/', '1'], ['b/', null]])
  expect(told).toEqual([
    [1000, 1000],
    [1001, 1],
    [2001, 0],
    [3001, 1],
    [4001, 1],
  ])
})

test('stops at a refusal with its sentence, and at a stop without one', async () => {
  const refused = deleterOf({}, 'Studio doesn’t allow this with the current key.')
  const stop = new AbortController()
  await expect(deleteEntries(refused.deleter, [object('a')], () => undefined, stop.signal)).rejects.toThrow('Studio')
  const stopped = deleterOf({ 'a/': 9 })
  await deleteEntries(stopped.deleter, [folderEntry('a/', '')], () => stop.abort(), stop.signal)
  expect(stopped.asked).toHaveLength(1)
})
