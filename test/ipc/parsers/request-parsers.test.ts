import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createRequestParsers } from '../../../electron/ipc/parsers/request-parsers.ts'
import { MAX_REQUEST_ITEMS } from '../../../shared/limits.ts'
import { IPC_REQUEST_NAMES, type IpcRequestName } from '../../../shared/ipc/ipc-contract.ts'

const ID = '1b4e28ba-2fa1-4f5a-8c3d-5e8f7a9b0c1d'
/** Anything that begins here was chosen. */
const requestParsers = createRequestParsers((path) => /^\/(data|downloads)/.test(path))
const accepts = (name: IpcRequestName, request: unknown): boolean => requestParsers[name].safeParse(request).success

const place = {
  name: 'Studio',
  endpoint: 'https://storage.example.com',
  bucket: 'media',
  dialect: 'storage',
  pathStyle: true,
  scheme: 'STORAGE',
  signature: 'hmac-sha1',
  region: '',
  accessKeyId: 'AK',
  secretAccessKey: 'secret',
  sessionToken: '',
  profile: '',
  preset: 'storage',
  color: 'none',
}
const upload = { placeId: 'demo', prefix: '', paths: ['/data/a.mov'] }
const objects = {
  source: { kind: 'objects', placeId: 'demo', keys: ['media/a.mov'] },
  directory: '/data',
  onConflict: 'keep-both',
}
const links = (...urls: unknown[]) => ({ ...objects, source: { kind: 'links', urls } })
const folders = (...prefixes: unknown[]) => ({ ...objects, source: { kind: 'folders', placeId: 'demo', prefixes } })

it('takes what the contract allows', () => {
  const requests: [IpcRequestName, unknown][] = [
    ['queue:snapshot', null],
    ['queue:watch', { id: null }],
    ['queue:watch', { id: ID }],
    ['transfers:pause', { ids: 'all' }],
    ['transfers:remove', { ids: [ID] }],
    ['transfers:rebucket', { ids: [ID], bucket: 'media' }],
    ['uploads:enqueue', upload],
    ['uploads:enqueue', { ...upload, prefix: 'media/2026/' }],
    ['downloads:enqueue', objects],
    ['downloads:enqueue', links('https://example.com/a?signature=1')],
    ['downloads:relink', { id: ID, url: 'https://example.com/a?signature=2' }],
    ['downloads:enqueue', folders('media/2026/')],
    ['downloads:enqueue', { ...objects, onConflict: 'skip-identical' }],
    ['objects:measure', { placeId: ID, prefix: 'media/', marker: 'media/a' }],
    ['clipboard:link', null],
    ['objects:list', { placeId: ID, prefix: 'media/', marker: null }],
    ['places:add', place],
    ['places:add', { ...place, endpoint: 'http://127.0.0.1:9000/' }],
    ['places:add', { ...place, bucket: '' }],
    ['buckets:list', { placeId: ID }],
    ['objects:list', { placeId: ID, bucket: 'media', prefix: '', marker: 'a' }],
    ['objects:link', { placeId: ID, key: 'a', expiresSeconds: 604_800 }],
    ['objects:delete-page', { placeId: ID, prefix: 'media/', marker: null, ticket: ID }],
    ['objects:move', { placeId: ID, keys: ['a/b', 'a/c'], from: 'a/', to: '', isRetry: false }],
    ['objects:move-page', { placeId: ID, prefix: 'a/', to: 'b/', marker: null, isRetry: true, ticket: ID }],
    ['objects:abandon', { ticket: ID }],
    ['places:add', { ...place, dialect: 's3', bucket: '', profile: 'studio', preset: 'aws', color: 'teal' }],
    ['places:duplicate', { id: ID, place: { ...place, secretAccessKey: '' } }],
    ['places:edit', { id: ID, place: { ...place, secretAccessKey: '' } }],
    ['places:check', { id: null, place }],
    ['places:reorder', { ids: [ID, 'demo'] }],
    ['places:profiles', null],
    ['settings:set', {}],
    ['settings:set', { limitBytesPerSecond: null, activeTransfers: 16 }],
    ['dialogs:choose-folder', { defaultPath: null }],
    ['folders:space', { directory: '/downloads' }],
    ['clipboard:write', { text: 'a\nb' }],
  ]
  expect(requests.filter(([name, request]) => !accepts(name, request))).toEqual([])
})

it('takes 100,000 paths and not one more', () => {
  const paths = (count: number) => ({ ...upload, paths: Array.from({ length: count }, (_, index) => `/data/${index}`) })
  expect(accepts('uploads:enqueue', paths(MAX_REQUEST_ITEMS))).toBe(true)
  expect(accepts('uploads:enqueue', paths(MAX_REQUEST_ITEMS + 1))).toBe(false)
})

it.each(IPC_REQUEST_NAMES)('%s survives anything at all', (name) => {
  fc.assert(
    fc.property(fc.anything({ withNullPrototype: true, withBigInt: true }), (request) => {
      requestParsers[name].safeParse(request)
    }),
    { numRuns: 50 },
  )
})

describe('refuses', () => {
  const bad: [what: string, name: IpcRequestName, request: unknown][] = [
    ['members that are not in the contract', 'transfers:pause', { ids: 'all', then: 1 }],
    ['ids that are none', 'transfers:pause', { ids: ['../../etc'] }],
    ['a file that nobody chose', 'uploads:enqueue', { ...upload, paths: ['/data/a.mov', '/home/ann/.ssh/id_ed25519'] }],
    ['files that nobody chose', 'uploads:enqueue-folder', { ...upload, paths: ['/etc'], onConflict: 'replace' }],
    ['sources that nobody chose', 'uploads:measure-sources', { id: ID, paths: ['/etc'] }],
    ['parts lists that nobody chose', 'parts-lists:find', { paths: ['/etc/passwd'] }],
    ['a parts list that nobody chose', 'parts-lists:review', { placeId: 'demo', path: '/etc/passwd' }],
    ['a partial file that nobody chose', 'downloads:adopt', { paths: ['/etc/passwd'] }],
    ['a folder that nobody chose', 'downloads:enqueue', { ...objects, directory: '/home/ann/.config/autostart' }],
    ['room in a folder that nobody chose', 'folders:space', { directory: '/etc' }],
    ['a folder for downloads that nobody chose', 'settings:set', { downloadsFolder: '/etc' }],
    ['a folder of a place that nobody chose', 'places:add', { ...place, downloadsFolder: '/etc' }],
    ['a relative path', 'uploads:enqueue', { ...upload, paths: ['a.mov'] }],
    ['a path with NUL', 'uploads:enqueue', { ...upload, paths: ['/data/a\0.exe'] }],
    ['an endless path', 'uploads:enqueue', { ...upload, paths: [`/${'a'.repeat(40_000)}`] }],
    ['no path', 'uploads:enqueue', { ...upload, paths: [] }],
    ['a prefix that is none', 'uploads:enqueue', { ...upload, prefix: 'media' }],
    ['a key over 1,024 bytes', 'objects:list', { placeId: 'demo', prefix: '€'.repeat(342), marker: null }],
    ['a key that is no Unicode', 'objects:list', { placeId: 'demo', prefix: '\ud800', marker: null }],
    ['an empty key', 'downloads:enqueue', { ...objects, source: { ...objects.source, keys: [''] } }],
    ['a whole bucket as a folder', 'downloads:enqueue', folders('')],
    ['a folder that is none', 'downloads:enqueue', folders('media')],
    ['a relative folder', 'downloads:enqueue', { ...objects, directory: '../up' }],
    ['a way to overwrite that is none', 'downloads:enqueue', { ...objects, onConflict: 'fail' }],
    ['a file link', 'downloads:enqueue', links('file:///etc/passwd')],
    ['a script link', 'downloads:enqueue', links('javascript:alert(1)')],
    ['a link that is none', 'downloads:enqueue', links('example.com/a')],
    ['a service that is none', 'places:add', { ...place, endpoint: 'ftp://storage.example.com' }],
    ['a service with a path', 'places:add', { ...place, endpoint: 'https://storage.example.com/media' }],
    ['a service with a password', 'places:add', { ...place, endpoint: 'https://a:b@storage.example.com' }],
    ['a header in a scheme', 'places:add', { ...place, scheme: 'STORAGE\r\nX-Other: 1' }],
    ['a header in a key', 'places:add', { ...place, accessKeyId: 'AK\r\nX-Other: 1' }],
    ['a color that is none', 'places:edit', { id: ID, place: { ...place, color: 'url(x)' } }],
    ['a whole bucket to delete', 'objects:delete-page', { placeId: ID, prefix: '', marker: null }],
    ['more keys to delete than a page', 'objects:delete', { placeId: ID, keys: Array(1001).fill('k') }],
    [
      'a key to move from elsewhere',
      'objects:move',
      { placeId: ID, keys: ['x/b'], from: 'a/', to: '', isRetry: false },
    ],
    ['a move to nowhere', 'objects:move', { placeId: ID, keys: ['a/'], from: 'a/', to: '', isRetry: false }],
    ['a move to where it is', 'objects:move', { placeId: ID, keys: ['a'], from: 'a', to: 'a', isRetry: false }],
    [
      'a folder to move into itself',
      'objects:move-page',
      { placeId: ID, prefix: 'a/', to: 'a/b/', marker: null, isRetry: false },
    ],
    [
      'a whole bucket to move',
      'objects:move-page',
      { placeId: ID, prefix: '', to: 'b/', marker: null, isRetry: false },
    ],
    ['a link for longer than a week', 'objects:link', { placeId: ID, key: 'a', expiresSeconds: 604_801 }],
    ['a ticket that is no name', 'objects:abandon', { ticket: '' }],
    ['a bucket that is a path', 'objects:list', { placeId: ID, bucket: '../x', prefix: '', marker: null }],
    ['a bucket with a slash', 'places:add', { ...place, bucket: 'media/2026' }],
    ['a speed limit below 1 KiB/s', 'settings:set', { limitBytesPerSecond: 1 }],
    ['half a transfer', 'settings:set', { activeTransfers: 1.5 }],
    ['no number', 'settings:set', { activeTransfers: NaN }],
    ['an undefined setting', 'settings:set', { activeTransfers: undefined }],
    ['something where nothing is due', 'app:info', {}],
  ]
  it.each(bad)('%s', (_what, name, request) => {
    expect(accepts(name, request)).toBe(false)
  })
})
