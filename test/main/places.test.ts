import { expect, it } from 'vitest'
import { createCredentialStore } from '../../electron/credential-store.ts'
import type { DemoHost } from '../../electron/demo-host.ts'
import { loadPlaces } from '../../electron/places.ts'
import type { NewPlace } from '../../shared/place.ts'
import { memoryValues } from '../support/named-values.ts'

const address = {
  endpoint: 'http://127.0.0.1:1',
  bucket: 'demo',
  dialect: 'storage',
  pathStyle: true,
  scheme: 'STORAGE',
  signature: 'hmac-sha1',
  region: '',
} as const
const demo: DemoHost = {
  place: { ...address, id: 'demo', name: 'Demo store', accessKeyId: 'DEMO', isDemo: true },
  connection: { ...address, credentials: { accessKeyId: 'DEMO', secretAccessKey: 'demo-secret' } },
  close: () => Promise.resolve(),
}
const studio: NewPlace = {
  ...address,
  name: 'Studio',
  endpoint: 'http://storage.example.com',
  bucket: 'media',
  accessKeyId: 'AK',
  secretAccessKey: 'studio-secret',
}

/** A keyring that turns text around; `basic_text` is what Linux has without one. */
function credentials(backend: 'gnome_libsecret' | 'basic_text') {
  const reversed = (text: string) => [...text].reverse().join('')
  return createCredentialStore(
    {
      isEncryptionAvailable: () => true,
      getSelectedStorageBackend: () => backend,
      encryptString: (text) => Buffer.from(reversed(text)),
      decryptString: (bytes) => reversed(bytes.toString()),
    },
    'linux',
  )
}

const open = (values = memoryValues(), backend: 'gnome_libsecret' | 'basic_text' = 'gnome_libsecret') =>
  loadPlaces({ values, credentials: credentials(backend), demo, decorateDemo: (store) => store })
const at = (placeId: string, bucket = 'media') => ({ kind: 'place', placeId, bucket }) as const

it('starts with the demo store alone', async () => {
  expect((await open()).list()).toEqual([demo.place])
})

it('keeps a place, and opens it again after a restart', async () => {
  const values = memoryValues()
  const added = await (await open(values)).add(studio)
  const places = await open(values)
  expect(places.list()).toEqual([demo.place, added])
  expect(places.openStore(at(added.id)).bucket).toBe('media')
})

it('gives the secret to nobody and writes it sealed only', async () => {
  const values = memoryValues()
  const places = await open(values)
  const added = await places.add(studio)
  expect(JSON.stringify([added, places.list(), places.require(added.id)])).not.toContain('secret')
  expect(values.text()).not.toContain('studio-secret')
})

it('keeps the secret in memory only where there is no keyring', async () => {
  const values = memoryValues()
  const places = await open(values, 'basic_text')
  const { id } = await places.add(studio)
  expect(places.openStore(at(id)).bucket).toBe('media')
  expect(values.text()).toContain('"sealedSecret":null')
  const reopened = await open(values, 'basic_text')
  expect(() => reopened.openStore(at(id))).toThrow('The key of the place is not known on this computer any more')
})

it('gives a place that is added again its new key, and keeps its id for the transfers of it', async () => {
  const values = memoryValues()
  const places = await open(values)
  const { id } = await places.add(studio)
  const before = places.openStore(at(id))
  const again = await places.add({ ...studio, name: 'Studio 2', secretAccessKey: 'new' })
  expect(again.id).toBe(id)
  expect(places.list().map(({ name }) => name)).toEqual(['Demo store', 'Studio 2'])
  expect(places.openStore(at(id))).not.toBe(before)
})

it('opens each bucket once', async () => {
  const places = await open()
  const demoStore = places.openStore(at('demo', 'demo'))
  expect(places.openStore(at('demo', 'demo'))).toBe(demoStore)
  expect(places.openStore(at('demo', 'other'))).not.toBe(demoStore)
})

it('forgets a removed place, key and all', async () => {
  const values = memoryValues()
  const places = await open(values)
  const { id } = await places.add(studio)
  await places.remove(id)
  expect(() => places.openStore(at(id))).toThrow('The place was removed')
  expect(() => places.require(id)).toThrow('This place was removed.')
  expect((await open(values)).list()).toEqual([demo.place])
})

it('starts with the demo store alone when what was kept is damaged', async () => {
  const values = memoryValues()
  await values.put('places', '[{"id":1}]')
  expect((await open(values)).list()).toEqual([demo.place])
})
