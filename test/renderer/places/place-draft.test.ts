import { expect, test } from 'vitest'
import type { Place, PlacePreset } from '../../../shared/place/place.ts'
import {
  blankOf,
  draftOf,
  endpointError,
  isComplete,
  newDraft,
  placeOf,
  usualPreset,
  withBlank,
  withEndpoint,
  withPreset,
  withProfile,
  withRegion,
  withScheme,
  withSignIn,
} from '../../../renderer/places/place-draft.ts'

const key = { accessKeyId: 'AK', hasSecret: true }
const secrets = { secretAccessKey: 'secret', sessionToken: 'token' }

test.each<[PlacePreset, string, string, string]>([
  ['aws', '', 'https://s3.amazonaws.com', ''],
  ['aws', 'eu-west-1', 'https://s3.eu-west-1.amazonaws.com', 'eu-west-1'],
  ['aws', 'cn-north-1', 'https://s3.cn-north-1.amazonaws.com.cn', 'cn-north-1'],
  ['r2', 'abc123', 'https://abc123.r2.cloudflarestorage.com', 'auto'],
  ['r2', 'https://abc123.eu.r2.cloudflarestorage.com/media', 'https://abc123.eu.r2.cloudflarestorage.com', 'auto'],
  ['b2', 'us-west-004', 'https://s3.us-west-004.backblazeb2.com', 'us-west-004'],
  ['wasabi', 'eu-central-1', 'https://s3.eu-central-1.wasabisys.com', 'eu-central-1'],
  ['digitalocean', 'fra1', 'https://fra1.digitaloceanspaces.com', 'fra1'],
  ['scaleway', 'fr-par', 'https://s3.fr-par.scw.cloud', 'fr-par'],
])('%s with %s is at %s', (preset, word, endpoint, region) => {
  const draft = withBlank({ ...newDraft(preset), ...key }, word)
  expect(draft).toMatchObject({ endpoint, region, dialect: 's3', signature: 'hmac-sha256' })
  expect(withBlank(draft, blankOf(draft) ?? '').endpoint).toBe(endpoint)
  expect(isComplete(draft, null)).toBe(true)
})

test('knows where services are that have one address', () => {
  expect(newDraft('gcs')).toMatchObject({ endpoint: 'https://storage.googleapis.com', region: 'auto' })
  expect(newDraft('storj')).toMatchObject({ endpoint: 'https://gateway.storjshare.io', dialect: 's3' })
})

test('asks for what a service can’t do without, and for no more', () => {
  expect(isComplete({ ...newDraft('b2'), ...key }, null)).toBe(false)
  expect(isComplete(newDraft('aws'), null)).toBe(false)
  expect(isComplete(withSignIn(newDraft('aws'), 'anonymous'), null)).toBe(true)
  expect(isComplete(withSignIn(newDraft('aws'), 'profile'), null)).toBe(false)
  expect(isComplete({ ...withSignIn(newDraft('aws'), 'profile'), profile: 'studio' }, null)).toBe(true)
  const storage = { ...withEndpoint(newDraft('storage'), 'https://storage.example.com'), ...key }
  expect(isComplete(storage, null)).toBe(true)
  expect(isComplete({ ...storage, scheme: '' }, null)).toBe(false)
})

test('a word of a field that is not shown any more is in the way of nothing, and is not sent', () => {
  const wrong = { ...newDraft('storage'), ...key, endpoint: 'https://s.example', scheme: 'MY SCHEME' }
  expect(isComplete(wrong, null)).toBe(false)
  const s3 = { ...withPreset(wrong, 's3'), region: 'eu west 1' }
  expect(isComplete(s3, null)).toBe(false)
  expect(isComplete({ ...s3, region: 'eu' }, null)).toBe(true)
  expect(placeOf(s3, secrets).scheme).toBe('STORAGE')
  const anonymous = withSignIn(wrong, 'anonymous')
  expect(isComplete(anonymous, null)).toBe(true)
  expect(placeOf(anonymous, secrets).scheme).toBe('STORAGE')
  const back = withPreset(s3, 'storage')
  expect(back.scheme).toBe('MY SCHEME')
  expect(isComplete({ ...back, scheme: 'OSS', region: 'eu west 1' }, null)).toBe(true)
  expect(placeOf({ ...back, region: 'eu west 1' }, secrets)).toMatchObject({ scheme: 'MY SCHEME', region: '' })
})

test('sends no name of a bucket, region or scheme that can be none', () => {
  const storage = { ...withEndpoint(newDraft('storage'), 'https://storage.example.com'), ...key }
  for (const wrong of [{ bucket: 'my bucket' }, { bucket: 'a/b' }, { scheme: 'MY SCHEME' }]) {
    expect(isComplete({ ...storage, ...wrong }, null), JSON.stringify(wrong)).toBe(false)
  }
  expect(isComplete({ ...storage, bucket: 'bücket', region: 'eu-west_1', scheme: 'OSS2' }, null)).toBe(true)
})

test('keeps an address that was typed where another is typed, and drops it where it is known', () => {
  const typed = withEndpoint(newDraft('minio'), 'http://10.0.0.7:9000')
  expect(withPreset(typed, 'ceph').endpoint).toBe('http://10.0.0.7:9000')
  expect(withPreset(typed, 'aws').endpoint).toBe('https://s3.amazonaws.com')
  expect(withPreset(newDraft('aws'), 'minio').endpoint).toBe('')
})

test('keeps what was typed for a service while another is looked at', () => {
  const typed = withEndpoint(newDraft('minio'), 'http://10.0.0.7:9000')
  expect(withPreset(withPreset(typed, 'aws'), 'ceph').endpoint).toBe('http://10.0.0.7:9000')
  const wasabi = withBlank(newDraft('wasabi'), 'eu-central-1')
  const back = withPreset(withPreset(wasabi, 'gcs'), 'wasabi')
  expect([blankOf(back), back.region]).toEqual(['eu-central-1', 'eu-central-1'])
  const own = { ...withEndpoint(typed, 'https://minio.example.com'), region: 'here', pathStyle: false }
  expect(withPreset(withPreset(own, 'aws'), 'minio')).toMatchObject({ region: 'here', pathStyle: false })
})

test('keeps the bucket in the path where an address that was typed takes no other', () => {
  const typed = withEndpoint(newDraft('minio'), 'http://10.0.0.7:9000')
  expect(withPreset(typed, 'storage')).toMatchObject({ endpoint: 'http://10.0.0.7:9000', pathStyle: true })
  expect(withPreset(withEndpoint(typed, 'https://minio.example.com'), 'storage').pathStyle).toBe(false)
})

test('begins with the service of the last place, else with the commonest', () => {
  const place = { isDemo: false, preset: 'ceph' } as Place
  expect(usualPreset([{ isDemo: true, preset: 'storage' } as Place])).toBe('aws')
  expect(usualPreset([{ isDemo: true, preset: 'storage' } as Place, place])).toBe('ceph')
})

test.each([
  ['s3.example.com', 'https://s3.example.com'],
  ['10.0.0.7:9000', 'https://10.0.0.7:9000'],
  ['http://10.0.0.7:9000', 'http://10.0.0.7:9000'],
  ['ftp://s3.example.com', 'ftp://s3.example.com'],
  ['s3.example.com/media', 's3.example.com/media'],
  ['', ''],
])('takes %s as %s', (typed, endpoint) => {
  expect(withScheme(withEndpoint(newDraft('s3'), typed)).endpoint).toBe(endpoint)
})

test('says what is wrong with an address', () => {
  const errorOf = (text: string) => endpointError(withEndpoint(newDraft('s3'), text))
  expect(['', 'https://s3.example.com', ' http://[::1]:9000/ '].map(errorOf)).toEqual([null, null, null])
  expect(errorOf('s3.example.com')).toBe(null)
  expect(errorOf('ftp://s3.example.com')).toBe('Begins with https:// or http://')
  expect(errorOf('https://s3.example.com/media')).toBe('Only host and port, nothing after them')
})

test('puts the bucket in the path where it can’t be in front of the host', () => {
  const styleOf = (text: string) => withEndpoint(newDraft('storage'), text).pathStyle
  expect(['http://127.0.0.1:9', 'http://localhost', 'http://[::1]'].map(styleOf)).toEqual([true, true, true])
  expect(styleOf('https://storage.example.com')).toBe(false)
})

test('takes over a region that a service named, also in the address where it is part of it', () => {
  expect(withRegion(newDraft('aws'), 'eu-west-1').endpoint).toBe('https://s3.eu-west-1.amazonaws.com')
  const own = withEndpoint(newDraft('minio'), 'http://10.0.0.7:9000')
  expect(withRegion(own, 'here')).toMatchObject({ endpoint: 'http://10.0.0.7:9000', region: 'here' })
})

test('a place begins in a folder of its bucket, however that is typed', () => {
  const draft = { ...newDraft('aws'), ...key, bucket: 'media', folder: ' /home/ann' }
  expect(placeOf(draft, secrets)).toMatchObject({ folder: 'home/ann/' })
  for (const none of [{ folder: ' / ' }, { folder: '' }, { bucket: '' }]) {
    expect(placeOf({ ...draft, ...none }, secrets)).not.toHaveProperty('folder')
  }
})

test('takes from a profile what was not entered', () => {
  const profile = { name: 'ceph', region: 'default', endpoint: 'http://ceph:7480' }
  const filled = { profile: 'ceph', region: 'default', endpoint: 'http://ceph:7480', pathStyle: true }
  expect(withProfile(newDraft('s3'), profile)).toMatchObject(filled)
  const typed = { ...withEndpoint(newDraft('s3'), 'https://s3.example.com'), region: 'eu' }
  const kept = { profile: 'ceph', region: 'eu', endpoint: 'https://s3.example.com' }
  expect(withProfile(typed, profile)).toMatchObject(kept)
})

test('sends only what signing in needs, and a name in any case', () => {
  const draft = { ...newDraft('aws'), ...key, profile: 'studio' }
  expect(placeOf(draft, secrets)).toMatchObject({ name: 'Amazon S3', profile: '', accessKeyId: 'AK', ...secrets })
  const nameOf = (preset: PlacePreset, endpoint: string) => placeOf({ ...newDraft(preset), endpoint }, secrets).name
  expect(nameOf('s3', 'http://127.0.0.1:7481')).toBe('127.0.0.1:7481')
  expect(nameOf('storage', 'https://files.example.com')).toBe('files.example.com')
  expect(nameOf('ceph', 'https://files.example.com')).toBe('Ceph')
  const noKeys = { accessKeyId: '', secretAccessKey: '', sessionToken: '' }
  expect(placeOf(withSignIn(draft, 'profile'), secrets)).toMatchObject({ ...noKeys, profile: 'studio' })
  expect(placeOf({ ...withSignIn(draft, 'anonymous'), bucket: 'open' }, secrets)).toMatchObject({
    ...{ ...noKeys, profile: '', signature: 'none', name: 'open' },
  })
})

test('edits a place without its secret, unless its access key or its address changes', () => {
  const { secretAccessKey: _, sessionToken: __, ...rest } = placeOf({ ...newDraft('aws'), ...key }, secrets)
  const known: Place = { ...rest, id: 'x', isDemo: false }
  const draft = draftOf(known)
  expect(draft).toMatchObject({ hasSecret: false, signIn: 'keys' })
  expect(isComplete(draft, known)).toBe(true)
  expect(isComplete(draft, { ...known, lacksSecret: true })).toBe(false)
  expect(isComplete(draft, { ...known, lacksSecret: true, isLocked: true })).toBe(true)
  expect(isComplete({ ...draft, accessKeyId: 'OTHER' }, known)).toBe(false)
  expect(isComplete(withEndpoint(draft, 'http://s3.amazonaws.com'), known)).toBe(false)
  // Its field went away with the way of signing in, and came back empty.
  const back = withSignIn(withSignIn({ ...draft, ...key, accessKeyId: 'OTHER' }, 'anonymous'), 'keys')
  expect(isComplete(back, known)).toBe(false)
})

test('a label is one where there is something in it', () => {
  const labeled = (label: string) => placeOf({ ...newDraft('aws'), ...key, label }, secrets)
  expect(labeled(' work ').label).toBe('work')
  expect(Object.keys(labeled('  '))).not.toContain('label')
})
