import { expect, test } from 'vitest'
import { createDeletion, type Deleter } from '../../../renderer/browser/delete-entries.ts'
import { folderEntry, type Entry } from '../../../renderer/state/objects/listing.ts'

const object = (key: string): Entry => ({ ...folderEntry(`${key}/`, ''), kind: 'object', key, name: key })
const objects = (count: number) => Array.from({ length: count }, (_, index) => object(`k${index}`))
const { signal } = new AbortController()

/** A service with folders of so many pages; `spoil` says how many objects of a request are left, and why. */
function deleterOf(pages: Readonly<Record<string, number>>, spoil: (asked: number) => [number, string | null]) {
  const asked: unknown[] = []
  const answer = (keys: readonly string[], nextMarker: string | null) => {
    const [count, failure] = spoil(asked.length)
    const left = keys.slice(keys.length - count)
    return Promise.resolve({ done: keys.length - left.length, left, failure, nextMarker })
  }
  const deleter: Deleter = {
    remove: (keys) => {
      asked.push(keys.length)
      return answer(keys, null)
    },
    removePage: ({ prefix, marker }) => {
      asked.push([prefix, marker])
      const next = Number(marker ?? 0) + 1
      return answer(Array(1000).fill(prefix), next < (pages[prefix] ?? 0) ? String(next) : null)
    },
  }
  return { asked, deleter }
}

test('deletes objects by the thousand and folders page by page, and says what is gone whole', async () => {
  const { asked, deleter } = deleterOf({ 'a/': 2, 'b/': 1 }, () => [0, null])
  const told: unknown[] = []
  const deletion = createDeletion(deleter, [folderEntry('a/', ''), ...objects(1001), folderEntry('b/', '')])
  expect(await deletion.run((deleted, gone) => told.push([deleted, gone.size]), signal)).toBe(true)
  expect(asked).toEqual([1000, 1, ['a/', null], ['a/', '1'], ['b/', null]])
  expect(told).toEqual([
    [1000, 1000],
    [1001, 1],
    [2001, 0],
    [3001, 1],
    [4001, 1],
  ])
})

test('goes on after a refusal with what is left, and counts nothing twice', async () => {
  const refusal = 'Studio doesn’t allow this with the current key.'
  const { asked, deleter } = deleterOf({ 'a/': 2 }, (count) => (count === 1 || count === 4 ? [3, refusal] : [0, null]))
  const told: unknown[] = []
  const tell = (deleted: number, gone: ReadonlySet<string>) => told.push([deleted, gone.size])
  const deletion = createDeletion(deleter, [...objects(10), folderEntry('a/', '')])
  await expect(deletion.run(tell, signal)).rejects.toThrow(refusal)
  await expect(deletion.run(tell, signal)).rejects.toThrow(refusal)
  expect(await deletion.run(tell, signal)).toBe(true)
  expect(asked).toEqual([10, 3, ['a/', null], ['a/', '1'], ['a/', '1']])
  expect(told.slice(0, 4)).toEqual([
    [7, 7],
    [10, 3],
    [1010, 0],
    [2007, 0],
  ])
})

test('stops without a sentence, and does the rest later', async () => {
  const { asked, deleter } = deleterOf({ 'a/': 3 }, () => [0, null])
  const deletion = createDeletion(deleter, [folderEntry('a/', '')])
  const stop = new AbortController()
  expect(await deletion.run(() => stop.abort(), stop.signal)).toBe(false)
  expect(asked).toEqual([['a/', null]])
  const given = new AbortController()
  const silent: Deleter = { ...deleter, removePage: () => (given.abort(), Promise.reject(new Error('given up'))) }
  expect(await createDeletion(silent, [folderEntry('a/', '')]).run(() => undefined, given.signal)).toBe(false)
  expect(await deletion.run(() => undefined, signal)).toBe(true)
  expect(asked).toEqual([
    ['a/', null],
    ['a/', '1'],
    ['a/', '2'],
  ])
})
