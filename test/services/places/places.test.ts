import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createCredentialStore } from '../../../electron/services/persistence/credential-store.ts'
import type { DemoHost } from '../../../electron/services/places/demo-place.ts'
import { loadPlaces } from '../../../electron/services/places/places.ts'
import type { NewPlace } from '../../../shared/place/place.ts'
import { DIRECT } from '../../../electron/stores/network/network.ts'
import { sealRecord } from '../../../electron/engine/checkpoint/tables/link-secrets.ts'
import { downloadRecord } from '../../support/fakes/records.ts'
import { memoryValues } from '../../support/fakes/named-values.ts'
import { startScript } from '../../support/servers/scripted-server.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'

const address = {
  endpoint: 'http://127.0.0.1:1',
  bucket: 'demo',
  dialect: 'storage',
  pathStyle: true,
  scheme: 'STORAGE',
  signature: 'hmac-sha1',
  region: '',
  profile: '',
  preset: 'storage',
  color: 'none',
} as const
const demo: DemoHost = {
  place: { ...address, id: 'demo', name: 'Demo store', accessKeyId: 'DEMO', isDemo: true },
  connection: { ...address, credentials: { accessKeyId: 'DEMO', secretAccessKey: 'demo-secret' } },
  started: Promise.resolve({ problem: null, movedAside: null }),
  onAgain: () => undefined,
  close: () => Promise.resolve(),
}
const studio: NewPlace = {
  ...address,
  name: 'Studio',
  endpoint: 'http://storage.example.com',
  bucket: 'media',
  accessKeyId: 'AK',
  secretAccessKey: 'studio-secret',
  sessionToken: '',
}

/** Of a session: with a keyring, with one that is locked, without. */
type Session = 'gnome_libsecret' | 'locked' | 'basic_text'

/** A keyring that turns text around; `basic_text` is what Linux has without one. */
function keyring(session: () => Session): Parameters<typeof createCredentialStore>[0] {
  const reversed = (text: string) => [...text].reverse().join('')
  return {
    isEncryptionAvailable: () => session() !== 'locked',
    getSelectedStorageBackend: () => (session() === 'basic_text' ? 'basic_text' : 'gnome_libsecret'),
    encryptString: (text) => Buffer.from(reversed(text)),
    decryptString: (bytes) => reversed(bytes.toString()),
  }
}

const open = (values = memoryValues(), session: Session = 'gnome_libsecret') => openIn(values, () => session)
const openIn = (values: ReturnType<typeof memoryValues>, session: () => Session) =>
  openWith(createCredentialStore(keyring(session), 'linux'), values)
const openWith = (credentials: ReturnType<typeof createCredentialStore>, values = memoryValues()) =>
  loadPlaces({ values, credentials, demo, decorateDemo: (store) => store, network: DIRECT })
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
  expect(() => reopened.openStore(at(id))).toThrow('The key of this place isn’t saved on this computer')
})

it('tells of a place beforehand that its key goes with the app', async () => {
  const unsaved = await open(memoryValues(), 'basic_text')
  expect(unsaved.losesKey((await unsaved.add(studio)).id)).toBe(true)
  const saved = await open()
  expect(saved.losesKey((await saved.add(studio)).id)).toBe(false)
  const unsigned = { ...studio, signature: 'none', secretAccessKey: '' } as const
  expect(unsaved.losesKey((await unsaved.add({ ...unsigned, bucket: 'public' })).id)).toBe(false)
  expect(unsaved.losesKey('demo')).toBe(false)
})

it('says of a place that its secret was not kept, until it is entered again', async () => {
  const values = memoryValues()
  const { id } = await (await open(values, 'basic_text')).add(studio)
  const places = await open(values, 'basic_text')
  expect(places.list().map(({ lacksSecret }) => lacksSecret ?? false)).toEqual([false, true])
  await places.edit(id, { ...studio, secretAccessKey: '' })
  expect(() => places.openStore(at(id))).toThrow('The key of this place isn’t saved on this computer')
  await places.edit(id, studio)
  expect(places.list().map(({ lacksSecret }) => lacksSecret ?? false)).toEqual([false, false])
  expect(places.openStore(at(id)).bucket).toBe('media')
})

it('replaces no place by one that is added again: it is edited, and keeps its id for the transfers of it', async () => {
  const values = memoryValues()
  const places = await open(values)
  const { id } = await places.add(studio)
  const before = places.openStore(at(id))
  const same = { ...studio, name: 'Studio 2', endpoint: `${studio.endpoint}/`, secretAccessKey: 'new' }
  const text = values.text()
  await expect(places.add(same)).rejects.toThrow('Studio has the same address, bucket and key. Edit that one.')
  expect(values.text()).toBe(text)
  await places.edit(id, same)
  expect(places.list().map(({ name }) => name)).toEqual(['Demo store', 'Studio 2'])
  expect(places.openStore(at(id))).not.toBe(before)
})

describe.each(['locked', 'basic_text'] as const)('A sealed secret in a session whose keyring is %s', (session) => {
  it('outlives what is changed of its place, and signs again afterwards', async () => {
    const values = memoryValues()
    const { id } = await (await open(values)).add({ ...studio, sessionToken: 'token' })
    const sealed = sealedOf(values.text())
    const places = await open(values, session)
    expect(places.list()[1]).toMatchObject({ lacksSecret: true, isLocked: true })
    expect(() => places.openStore(at(id))).toThrow('The keyring can’t be opened now')
    await places.edit(id, { ...studio, secretAccessKey: '', name: 'Atelier', bucket: 'other' })
    expect(sealedOf(values.text())).toEqual(sealed)
    const reopened = await open(values)
    expect(reopened.list()[1]).not.toHaveProperty('lacksSecret')
    expect(reopened.connectionOf(id).credentials).toMatchObject({ secretAccessKey: 'studio-secret' })
  })

  it('outlives a secret that is entered anew and can’t be sealed, which signs until the app quits', async () => {
    const values = memoryValues()
    const { id } = await (await open(values)).add(studio)
    const sealed = sealedOf(values.text())
    const places = await open(values, session)
    await places.edit(id, { ...studio, secretAccessKey: 'entered anew' })
    expect(places.connectionOf(id).credentials).toMatchObject({ secretAccessKey: 'entered anew' })
    expect(sealedOf(values.text())).toEqual(sealed)
  })

  it('is opened as soon as the keyring is', async () => {
    const values = memoryValues()
    const { id } = await (await open(values)).add(studio)
    let now: Session = session
    const places = await openIn(values, () => now)
    expect(() => places.openStore(at(id))).toThrow('The keyring can’t be opened now')
    now = 'gnome_libsecret'
    expect(places.list()[1]).not.toHaveProperty('isLocked')
    expect(places.openStore(at(id)).bucket).toBe('media')
  })
})

it('keeps something sealed for a key that was sealed once, whatever is edited in which session', async () => {
  const steps = fc.array(
    fc.record({
      session: fc.constantFrom<Session>('gnome_libsecret', 'locked', 'basic_text'),
      name: fc.constantFrom('Studio', 'Atelier'),
      secretAccessKey: fc.constantFrom('', 'other-secret'),
      sessionToken: fc.constantFrom('', 'token'),
    }),
    { minLength: 1, maxLength: 6 },
  )
  await fc.assert(
    fc.asyncProperty(steps, async (edits) => {
      const values = memoryValues()
      const { id } = await (await open(values)).add(studio)
      for (const { session, ...changes } of edits) {
        await (await open(values, session)).edit(id, { ...studio, ...changes })
        expect(sealedOf(values.text())[0]).not.toBeNull()
      }
    }),
    { numRuns: 50 },
  )
})

it('gives the secret of a place to no other address, and signs for no other key with it', async () => {
  const values = memoryValues()
  const { endpoint, requests } = await startScript([{ status: 200 }])
  const places = await open(values)
  const { id } = await places.add({ ...studio, endpoint: endpoint.replace('http:', 'https:') })
  const before = values.text()
  for (const change of [{ endpoint }, { accessKeyId: 'OTHER' }]) {
    const moved = { ...studio, endpoint, ...change, secretAccessKey: '' }
    await expect(places.edit(id, moved)).rejects.toThrow('Enter the secret key again.')
    await expect(places.check(id, moved)).rejects.toThrow('Enter the secret key again.')
  }
  expect(requests).toEqual([])
  expect(values.text()).toBe(before)
  await places.edit(id, { ...studio, endpoint })
  expect(places.connectionOf(id)).toMatchObject({ endpoint, credentials: { secretAccessKey: 'studio-secret' } })
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

/** What a version before presets, profiles and colors wrote. */
const OLD = {
  ...{ endpoint: 'https://storage.example.com', bucket: 'media', dialect: 's3', pathStyle: true, scheme: 'STORAGE' },
  ...{ signature: 'hmac-sha256', region: 'eu-1', accessKeyId: 'AK', name: 'Old', sealedSecret: null },
  id: '1b4e28ba-2fa1-4f5a-8c3d-5e8f7a9b0c1d',
}

it('reads what an older version wrote, and leaves what a newer one wrote as it is', async () => {
  const values = memoryValues()
  const newer = { id: 'x', dialect: 'another' }
  await values.put('places', JSON.stringify([newer, OLD]))
  const places = await open(values)
  expect(places.list()[1]).toMatchObject({ name: 'Old', preset: 's3', profile: '', color: 'none', isDemo: false })
  await places.add(studio)
  expect(values.text()).toContain(JSON.stringify(newer))
})

it('adds a place like another one with its secret, for the same address and key only', async () => {
  const values = memoryValues()
  const places = await open(values)
  const { id } = await places.add(studio)
  const other = { ...studio, name: 'Studio copy', bucket: 'other', secretAccessKey: '' }
  const added = await places.duplicate(id, other)
  expect(places.list().map(({ name }) => name)).toEqual(['Demo store', 'Studio', 'Studio copy'])
  // It stays when the first one goes, also after a restart.
  await places.remove(id)
  const reopened = await open(values)
  expect(reopened.connectionOf(added.id)).toMatchObject({
    bucket: 'other',
    credentials: { secretAccessKey: 'studio-secret' },
  })
  const again = { ...other, bucket: 'third' }
  const moved = { ...again, endpoint: 'http://other.example.com' }
  await expect(reopened.duplicate(added.id, moved)).rejects.toThrow('Enter the secret key again.')
  await expect(reopened.duplicate(added.id, { ...again, accessKeyId: 'B' })).rejects.toThrow(
    'Enter the secret key again.',
  )
  await expect(reopened.duplicate(added.id, other)).rejects.toThrow('Studio copy')
  await expect(reopened.duplicate('demo', again)).rejects.toThrow()
  await expect(reopened.duplicate(id, again)).rejects.toThrow()
  expect(reopened.list()).toHaveLength(2)
})

it('keeps the secret of a place that is edited without one, and takes another', async () => {
  const values = memoryValues()
  const places = await open(values)
  const { id } = await places.add({ ...studio, sessionToken: 'token' })
  const before = values.text()
  const without = { ...studio, secretAccessKey: '', sessionToken: '', name: 'Atelier', color: 'teal' } as const
  expect(await places.edit(id, without)).toMatchObject({ id, name: 'Atelier', color: 'teal' })
  expect(sealedOf(values.text())).toEqual(sealedOf(before))
  await places.edit(id, { ...without, sessionToken: 'newer' })
  expect(sealedOf(values.text())).toEqual([sealedOf(before)[0], Buffer.from('rewen').toString('base64')])
  await places.edit(id, { ...studio, secretAccessKey: 'other' })
  expect(sealedOf(values.text())).toEqual([Buffer.from('rehto').toString('base64'), null])
})

const sealedOf = (text: string) => {
  const [place] = JSON.parse(text) as { sealedSecret: string | null; sealedToken: string | null }[]
  return [place?.sealedSecret, place?.sealedToken]
}

it('edits neither the demo store nor a place that was removed', async () => {
  const places = await open()
  await expect(places.edit('demo', studio)).rejects.toThrow('The demo store can’t be edited.')
  await expect(places.edit(OLD.id, studio)).rejects.toThrow('This place was removed.')
})

it('adds a place once even if it is added twice at the same time, and doesn’t edit one that is being removed', async () => {
  const places = await open()
  const answers = await Promise.allSettled([places.add(studio), places.add({ ...studio, name: 'Studio 2' })])
  expect([answers.map(({ status }) => status), places.list()]).toMatchObject([['fulfilled', 'rejected'], { length: 2 }])
  const id = places.list()[1]?.id ?? ''
  const removed = places.remove(id)
  await expect(places.edit(id, studio)).rejects.toThrow('This place was removed.')
  await removed
  expect(places.list()).toEqual([demo.place])
})

it('keeps the order that a person gave the places', async () => {
  const values = memoryValues()
  const places = await open(values)
  const [a, b, c] = await Promise.all(['a', 'b', 'c'].map((bucket) => places.add({ ...studio, bucket, name: bucket })))
  await places.reorder(['demo', c?.id ?? '', a?.id ?? ''])
  expect((await open(values)).list().map(({ name }) => name)).toEqual(['Demo store', 'c', 'a', b?.name])
})

it('tries a place with the secret it has, and keeps nothing of what is tried', async () => {
  const values = memoryValues()
  const { endpoint, requests } = await startScript([{ status: 200 }])
  const places = await open(values)
  const { id } = await places.add({ ...studio, endpoint })
  const before = values.text()
  await places.check(id, { ...studio, endpoint, name: 'Other', secretAccessKey: '' })
  expect(requests.at(-1)?.headers.authorization).toMatch(/^STORAGE AK:/)
  const tried = await places.check(null, { ...studio, endpoint, bucket: 'tried' })
  expect(tried.steps.map(({ name }) => name)).toEqual(['name', 'connection', 'clock', 'signature', 'list'])
  expect([values.text(), places.list()]).toEqual([before, [demo.place, expect.objectContaining({ name: 'Studio' })]])
})

it('takes the keys of a profile from ~/.aws when they are needed, and keeps none', async () => {
  const folder = await tempDir()
  vi.stubEnv('AWS_SHARED_CREDENTIALS_FILE', join(folder, 'credentials'))
  vi.stubEnv('AWS_CONFIG_FILE', join(folder, 'config'))
  onTestFinished(() => void vi.unstubAllEnvs())
  const keys =
    'aws_access_key_id = PROFILE\naws_secret_access_key = profile-secret\naws_session_token = profile-token\n'
  await writeFile(join(folder, 'credentials'), `[studio]\n${keys}`)
  const { endpoint, requests } = await startScript([
    { status: 200, body: '<ListBucketResult><IsTruncated>false</IsTruncated></ListBucketResult>' },
  ])
  const values = memoryValues()
  const places = await open(values)
  expect(await places.profiles()).toEqual([{ name: 'studio', kind: 'keys', region: '', endpoint: '' }])
  const own = { accessKeyId: '', secretAccessKey: '', profile: 'studio', dialect: 's3', preset: 's3' } as const
  const { id } = await places.add({ ...studio, ...own, endpoint })
  const store = (await open(values)).openStore(at(id))
  await store.listObjects({ signal: new AbortController().signal })
  expect(requests.at(-1)?.headers.authorization).toContain('Credential=PROFILE/')
  expect(requests.at(-1)?.headers['x-amz-security-token']).toBe('profile-token')
  expect(values.text()).not.toMatch(/profile-secret|profile-token/)
})

it('seals the sign-in of a link like a key, and keeps it in memory where there is no keyring', async () => {
  const { endpoint, requests } = await startScript([{ status: 200 }])
  const signal = new AbortController().signal
  const link = `${endpoint.replace('//', '//me:hidden@')}/a?sig=1`
  const sealing = await open()
  const sealed = sealing.locateLink(link)
  expect(sealed).toMatchObject({ kind: 'link', url: `${endpoint}/a?sig=1` })
  expect(JSON.stringify(sealed)).not.toContain('hidden')
  // The record is all that a restart leaves.
  await (await open()).openStore(sealed).getObject({ key: '', signal })
  const without = await open(memoryValues(), 'basic_text')
  const remembered = without.locateLink(link)
  expect(JSON.stringify(remembered)).not.toContain('hidden')
  await without.openStore(remembered).getObject({ key: '', signal })
  const shown = `${endpoint}/a`
  expect([sealing.losesSignIn(shown), without.losesSignIn(shown)]).toEqual([false, true])
  expect(without.losesSignIn(`${endpoint}/b`)).toBe(false)
  const signed = `Basic ${Buffer.from('me:hidden').toString('base64')}`
  expect(requests.map(({ headers }) => headers.authorization)).toEqual([signed, signed])
})

it('asks for no link without the query or the sign-in that it has, and asks with it as soon as the keyring is open', async () => {
  const { endpoint, requests } = await startScript([{ status: 200 }])
  const signal = new AbortController().signal
  const sealer = createCredentialStore(
    keyring(() => 'gnome_libsecret'),
    'linux',
  )
  const link = (await open()).locateLink(`${endpoint.replace('//', '//me:hidden@')}/a`)
  const signed = sealRecord(downloadRecord({ location: { kind: 'link', url: `${endpoint}/a?sig=1` } }), sealer)
  const sessions = ['locked', 'basic_text'] as const
  for (const [shut, location] of sessions.flatMap((shut) => [link, signed.location].map((it) => [shut, it] as const))) {
    let session: Session = shut
    const places = await openIn(memoryValues(), () => session)
    expect(() => places.openStore(location), shut).toThrow('The keyring can’t be opened now')
    session = 'gnome_libsecret'
    await places.openStore(location).getObject({ key: '', signal })
  }
  const both = [`/a Basic ${Buffer.from('me:hidden').toString('base64')}`, '/a?sig=1 undefined']
  expect(requests.map(({ url, headers }) => `${url} ${headers.authorization}`)).toEqual([...both, ...both])
})

it('takes no link for a sealed one that only looks like it', async () => {
  const { endpoint, requests } = await startScript([{ status: 200 }])
  const places = await open()
  const location = places.locateLink(`${endpoint}/a?sig=1#sealed=YQ==`)
  await places.openStore(location).getObject({ key: '', signal: new AbortController().signal })
  expect(requests.map(({ url }) => url)).toEqual(['/a?sig=1'])
})

it('asks for no link whose sign-in is not known any more', async () => {
  const without = await open(memoryValues(), 'basic_text')
  const remembered = without.locateLink('http://me:hidden@127.0.0.1:1/a')
  const afterwards = await open(memoryValues(), 'basic_text')
  expect(() => afterwards.openStore(remembered)).toThrow('The secret part of this link isn’t saved on this computer')

  const sealed = (await open()).locateLink('http://me:hidden@127.0.0.1:1/a')
  const decryptString = () => {
    throw new Error('It was sealed with another password')
  }
  const reset = await openWith(createCredentialStore({ ...keyring(() => 'gnome_libsecret'), decryptString }, 'linux'))
  expect(() => reset.openStore(sealed)).toThrow('The secret part of this link isn’t saved on this computer')
})
