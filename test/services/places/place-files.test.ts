import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { exportPlaces, importPlaces } from '../../../electron/services/places/place-files.ts'
import type { NewPlace, Place } from '../../../shared/place/place.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'

const STUDIO: Omit<NewPlace, 'secretAccessKey' | 'sessionToken'> = {
  ...({
    name: 'Studio',
    endpoint: 'https://store.example.com',
    bucket: 'media',
    dialect: 's3',
    pathStyle: true,
  } as const),
  ...({ scheme: 'STORAGE', signature: 'hmac-sha256', region: 'de', accessKeyId: 'AK', profile: '' } as const),
  ...({ preset: 'ceph', color: 'teal', label: 'work' } as const),
}

let path: string

/** Places as main has them; what is added is one of them. */
function placesWith(...listed: readonly Partial<Place>[]) {
  const added: NewPlace[] = []
  const known = listed.map((place, index): Place => ({ ...STUDIO, id: String(index), isDemo: false, ...place }))
  return {
    added,
    list: () => [...known, ...added.map((place): Place => ({ ...place, id: place.name, isDemo: false }))],
    add: (place: NewPlace) => {
      added.push(place)
      return Promise.resolve({ ...place, id: place.name, isDemo: false })
    },
  }
}

beforeEach(async () => {
  path = join(await tempDir(), 'places.json')
})

it('brings places to another computer, without secrets and without what is of this one', async () => {
  const here = placesWith({ isDemo: true, name: 'Demo' }, { downloadsFolder: '/home/ann', lacksSecret: true })
  expect(await exportPlaces(here, path)).toBe(1)
  const text = await readFile(path, 'utf8')
  expect(JSON.parse(text)).toEqual({ sluicePlaces: 1, places: [STUDIO] })
  const there = placesWith()
  expect(await importPlaces(there, path)).toEqual({ added: 1, known: 0, unreadable: 0 })
  expect(there.added).toEqual([{ ...STUDIO, secretAccessKey: '', sessionToken: '' }])
})

it('adds nothing twice, and says what it can’t read', async () => {
  const newer = { ...STUDIO, dialect: 'next' }
  const withSecret = { ...STUDIO, bucket: 'other', secretAccessKey: 'secret' }
  const places = [STUDIO, { ...STUDIO, bucket: 'b' }, { ...STUDIO, bucket: 'b' }, newer, withSecret]
  await writeFile(path, JSON.stringify({ sluicePlaces: 1, places }))
  expect(await importPlaces(placesWith({}), path)).toEqual({ added: 1, known: 2, unreadable: 2 })
})

it('takes no profile of this computer from a file: a stranger’s service would get requests signed with it', async () => {
  const strangers = { ...STUDIO, endpoint: 'https://stranger.example.com', accessKeyId: '', profile: 'default' }
  await writeFile(path, JSON.stringify({ sluicePlaces: 1, places: [strangers, strangers] }))
  const here = placesWith()
  expect(await importPlaces(here, path)).toEqual({ added: 1, known: 1, unreadable: 0 })
  expect(here.added).toEqual([{ ...strangers, profile: '', secretAccessKey: '', sessionToken: '' }])
  expect(await importPlaces(here, path)).toEqual({ added: 0, known: 2, unreadable: 0 })
})

it('knows a place again that signs in with a profile', async () => {
  const here = placesWith({ accessKeyId: '', profile: 'work' })
  await exportPlaces(here, path)
  expect(await importPlaces(here, path)).toEqual({ added: 0, known: 1, unreadable: 0 })
})

it.each([
  ['no JSON', 'places'],
  ['another file', '{"places":[]}'],
  ['a newer file', '{"sluicePlaces":2,"places":[]}'],
])('refuses %s in words', async (_, text) => {
  await writeFile(path, text)
  await expect(importPlaces(placesWith(), path)).rejects.toThrow('places.json contains no Sluice places.')
})

it('says that a file can’t be read or written', async () => {
  const away = join(path, 'nowhere.json')
  await expect(importPlaces(placesWith(), away)).rejects.toThrow('nowhere.json contains no Sluice places.')
  await expect(exportPlaces(placesWith(), away)).rejects.toThrow('nowhere.json couldn’t be written.')
})
