import { expect, test } from 'vitest'
import { createMoving, planMove, planRename, type Mover } from '../../../../renderer/browser/moving/move-entries.ts'
import { folderEntry, type Entry } from '../../../../renderer/state/objects/listing.ts'

const object = (key: string): Entry => ({ ...folderEntry(`${key}/`, ''), kind: 'object', key, name: key })
const { signal } = new AbortController()

/** A service that moves what it is asked to; `spoil` says how many of a request are left, and why. */
function moverOf(pages: number, spoil: (asked: number) => [number, string | null]) {
  const asked: unknown[] = []
  const answer = (keys: readonly string[], nextMarker: string | null) => {
    const [count, failure] = spoil(asked.length)
    const left = keys.slice(keys.length - count)
    return Promise.resolve({ done: keys.length - left.length, left, failure, nextMarker })
  }
  const mover: Mover = {
    move: ({ keys, from, to, isRetry }) => {
      asked.push([keys.length, from, to, isRetry])
      return answer(keys, null)
    },
    movePage: ({ prefix, to, marker, isRetry }) => {
      asked.push([prefix, to, marker, isRetry])
      const next = Number(marker ?? 0) + 1
      return answer(Array(100).fill(prefix), next < pages ? String(next) : null)
    },
  }
  return { asked, mover }
}

test('plans another name in the same folder', () => {
  expect(planRename(object('a/b.txt'), 'c.txt').objects).toEqual([
    { keys: ['a/b.txt'], from: 'a/b.txt', to: 'a/c.txt' },
  ])
  expect(planRename(folderEntry('a/b/', 'a/'), 'c').folders).toEqual([{ from: 'a/b/', to: 'a/c/' }])
  expect(planRename(object('b'), 'c').objects).toEqual([{ keys: ['b'], from: 'b', to: 'c' }])
})

test('plans other folders for results of a search, and nothing for what is there already', () => {
  const entries = [object('a/1'), object('a/2'), object('b/3'), object('to/4'), folderEntry('a/x/', 'a/')]
  expect(planMove(entries, 'to/')).toEqual({
    objects: [
      { keys: ['a/1', 'a/2'], from: 'a/', to: 'to/' },
      { keys: ['b/3'], from: 'b/', to: 'to/' },
    ],
    folders: [{ from: 'a/x/', to: 'to/x/' }],
  })
  expect(planMove([object('a/1'), folderEntry('a/x/', 'a/')], '')).toEqual({
    objects: [{ keys: ['a/1'], from: 'a/', to: '' }],
    folders: [{ from: 'a/x/', to: 'x/' }],
  })
})

test('moves objects by the hundred and folders page by page, and says what is gone whole', async () => {
  const { asked, mover } = moverOf(2, () => [0, null])
  const told: unknown[] = []
  const keys = Array.from({ length: 101 }, (_, index) => `a/${String(index)}`)
  const plan = { objects: [{ keys, from: 'a/', to: 'b/' }], folders: [{ from: 'a/x/', to: 'b/x/' }] }
  expect(await createMoving(mover, plan).run((moved, gone) => told.push([moved, gone.size]), signal)).toBe(true)
  expect(asked).toEqual([
    [100, 'a/', 'b/', false],
    [1, 'a/', 'b/', false],
    ['a/x/', 'b/x/', null, false],
    ['a/x/', 'b/x/', '1', false],
  ])
  expect(told).toEqual([
    [100, 100],
    [101, 1],
    [201, 0],
    [301, 1],
  ])
})

test('goes on after a refusal with what is left, of which some may be copied', async () => {
  const refusal = 'Studio doesn’t allow this with the current key.'
  const { asked, mover } = moverOf(2, (count) => (count === 1 || count === 3 ? [3, refusal] : [0, null]))
  const moving = createMoving(mover, {
    ...{ objects: [{ keys: ['a/1', 'a/2', 'a/3', 'a/4'], from: 'a/', to: 'b/' }] },
    folders: [{ from: 'a/x/', to: 'b/x/' }],
  })
  const counts: number[] = []
  const tell = (moved: number) => counts.push(moved)
  await expect(moving.run(tell, signal)).rejects.toThrow(refusal)
  await expect(moving.run(tell, signal)).rejects.toThrow(refusal)
  expect(await moving.run(tell, signal)).toBe(true)
  expect(asked).toEqual([
    [4, 'a/', 'b/', false],
    [3, 'a/', 'b/', true],
    ['a/x/', 'b/x/', null, false],
    ['a/x/', 'b/x/', null, true],
    ['a/x/', 'b/x/', '1', false],
  ])
  expect(counts.slice(0, 3)).toEqual([1, 4, 101])
})

test('stops without a sentence, and does the rest later', async () => {
  const { asked, mover } = moverOf(2, () => [0, null])
  const moving = createMoving(mover, { objects: [], folders: [{ from: 'a/', to: 'b/' }] })
  const stop = new AbortController()
  expect(await moving.run(() => stop.abort(), stop.signal)).toBe(false)
  expect(asked).toHaveLength(1)
  expect(await moving.run(() => undefined, signal)).toBe(true)
  expect(asked).toHaveLength(2)
})
