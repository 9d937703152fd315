import { expect, onTestFinished, test } from 'vitest'
import { createUrlStore, splitSignIn } from '../../../electron/stores/index.ts'
import { startScript, type ScriptedResponse, type TakenRequest } from '../../support/servers/scripted-server.ts'
import { bodyOf, contentOf, signal } from '../support/open-store.ts'

const open = (link: string) => {
  const store = createUrlStore(link)
  onTestFinished(() => store.close())
  return store
}
const get = (link: string) => open(link).getObject({ key: '', signal })
const to = (location: string, status = 302) => ({ status, headers: { location } })

test('gets a range of the link, unsigned, query and all', async () => {
  const { endpoint, requests } = await startScript([
    { status: 206, headers: { 'content-range': 'bytes 2-4/9', etag: '"e"' }, body: 'cde' },
  ])
  const store = open(`${endpoint}/a%20b/c?sig=x%2By&z#top`)
  const result = await store.getObject({ key: 'ignored', range: { start: 2, end: 5 }, ifMatch: 'e', signal })
  expect(await contentOf(result)).toMatchObject({ contentRange: { start: 2, end: 5, totalBytes: 9 }, status: 206 })
  expect(requests).toMatchObject([
    { url: '/a%20b/c?sig=x%2By&z', headers: { range: 'bytes=2-4', 'if-match': '"e"', 'accept-encoding': 'identity' } },
  ])
  expect(requests[0]?.headers).not.toHaveProperty('authorization')
})

test('signs in to the origin of the link, and to no other', async () => {
  const other = await startScript([({ url }: TakenRequest) => (url === '/' ? to(`${endpoint}/end`) : to('/'))])
  const { endpoint, requests } = await startScript([to('/inside'), to(`${other.endpoint}/start`), { status: 200 }])
  const { url, signIn } = splitSignIn(`${endpoint.replace('//', '//us%40er:p%3Aä@')}/a`)
  expect(url).toBe(`${endpoint}/a`)
  const store = createUrlStore(url, undefined, signIn)
  onTestFinished(() => store.close())
  await store.getObject({ key: '', signal })
  const signed = `Basic ${Buffer.from('us@er:p:ä').toString('base64')}`
  expect(requests.map(({ url: target, headers }) => [target, headers.authorization])).toEqual([
    ['/a', signed],
    ['/inside', signed],
    ['/end', signed],
  ])
  expect(other.requests.map(({ headers }) => headers.authorization)).toEqual([undefined, undefined])
})

test('sends no weak validator', async () => {
  const { endpoint, requests } = await startScript([{ status: 200 }])
  await open(endpoint).getObject({ key: '', ifMatch: 'W/e', signal })
  expect(requests[0]?.headers).not.toHaveProperty('if-match')
})

test('learns about the object from its first byte', async () => {
  const { endpoint, requests } = await startScript([
    { status: 206, headers: { 'content-range': 'bytes 0-0/9', etag: '"e"' }, body: 'a' },
  ])
  expect(await open(endpoint).headObject({ key: '', signal })).toMatchObject({ sizeBytes: 9, etag: 'e' })
  expect(requests).toMatchObject([{ method: 'GET', headers: { range: 'bytes=0-0' } }])
})

test('follows redirects again each time, to other hosts too', async () => {
  const other = await startScript([({ url }: TakenRequest) => ({ status: 200, body: url })])
  let visit = 0
  const { endpoint } = await startScript([
    ({ url }: TakenRequest) => (url === '/start' ? to('next?x=1', 301) : to(`${other.endpoint}/${(visit += 1)}`, 307)),
  ])
  const store = open(`${endpoint}/start`)
  const read = async () => (await contentOf(await store.getObject({ key: '', signal }))).body.toString()
  expect([await read(), await read()]).toEqual(['/1', '/2'])
})

/** A link to one of several mirrors, another one each time, each with an ETag of its own. */
async function startMirrors() {
  const ofA: ScriptedResponse = { status: 200, headers: { etag: '"of-a"' }, body: 'a' }
  const mirrors: Record<string, ScriptedResponse> = {
    '/a': ofA,
    '/b': { status: 200, headers: { etag: '"of-b"' }, body: 'b' },
  }
  let turns = 0
  const script = await startScript([
    ({ url }: TakenRequest) => mirrors[url] ?? to((turns += 1) % 2 === 1 ? '/a' : '/b'),
  ])
  return { ...script, mirrors, ofA, urls: () => script.requests.map(({ url }) => url) }
}

async function readVersion(store: ReturnType<typeof open>, ifMatch?: string): Promise<string> {
  const request = { key: '', signal, ...(ifMatch === undefined ? {} : { ifMatch }) }
  return (await contentOf(await store.getObject(request))).body.toString()
}

test('goes to the mirror where a version was found as long as that has it', async () => {
  const { endpoint, mirrors, urls } = await startMirrors()
  const store = open(`${endpoint}/f`)
  expect(await readVersion(store)).toBe('a')
  expect(await readVersion(store, 'of-a')).toBe('a')
  expect((await store.headObject({ key: '', signal })).etag).toBe('of-a')
  expect(urls()).toEqual(['/f', '/a', '/a', '/a'])
  // Its redirect was good for a time: the link is followed anew, until it leads to the version again.
  mirrors['/a'] = { status: 403 }
  mirrors['/b'] = { status: 200, headers: { etag: '"of-a"' }, body: 'b' }
  expect(await readVersion(store, 'of-a')).toBe('b')
  expect(urls().slice(4)).toEqual(['/a', '/f', '/b'])
})

test('goes back to the mirror when that was busy, and follows the link anew for any version', async () => {
  const { endpoint, mirrors, ofA, urls } = await startMirrors()
  const store = open(`${endpoint}/f`)
  expect(await readVersion(store)).toBe('a')
  mirrors['/a'] = { status: 503 }
  await expect(readVersion(store, 'of-a')).rejects.toMatchObject({ httpStatus: 503 })
  mirrors['/a'] = ofA
  expect(await readVersion(store, 'of-a')).toBe('a')
  expect(await readVersion(store)).toBe('b')
  expect(urls()).toEqual(['/f', '/a', '/a', '/a', '/f', '/b'])
})

test.each([
  ['says so by its ETag', { status: 200, headers: { etag: '"of-b"' }, body: 'b' }],
  ['refuses it', { status: 412 }],
])('looks for the mirror that has a version where another %s', async (_how, other) => {
  const { endpoint, mirrors, urls } = await startMirrors()
  mirrors['/a'] = other
  mirrors['/b'] = { status: 200, headers: { etag: '"of-a"' }, body: 'a' }
  expect(await readVersion(open(`${endpoint}/f`), 'of-a')).toBe('a')
  expect(urls()).toEqual(['/f', '/a', '/f', '/b'])
})

test('gives up where no mirror has the version', async () => {
  const { endpoint, mirrors, urls } = await startMirrors()
  mirrors['/a'] = mirrors['/b'] = { status: 412 }
  await expect(readVersion(open(`${endpoint}/f`), 'gone')).rejects.toMatchObject({ httpStatus: 412 })
  expect(urls().filter((url) => url === '/f').length).toBe(4)
})

test('follows five redirects and no more', async () => {
  const { endpoint, requests } = await startScript([to('/again?secret')])
  await expect(get(endpoint)).rejects.toMatchObject({
    code: 'RedirectRefused',
    message: expect.not.stringContaining('secret') as string,
  })
  expect(requests.length).toBe(6)
})

test.each(['ftp://127.0.0.1/x', 'file:///etc/passwd', 'http://', undefined])(
  'does not follow to %s',
  async (target) => {
    const { endpoint } = await startScript([{ status: 302, headers: target === undefined ? {} : { location: target } }])
    await expect(get(endpoint)).rejects.toMatchObject({ code: 'RedirectRefused', httpStatus: 302 })
  },
)

test.each([
  [{ status: 404 }, 'NoSuchKey'],
  [{ status: 412 }, 'PreconditionFailed'],
  [{ status: 403 }, 'UnnamedError'],
  [
    { status: 403, body: '<Error><Code>AccessDenied</Code><Message>Request has expired</Message></Error>' },
    'LinkExpired',
  ],
  [{ status: 400, body: '<Error><Code>ExpiredToken</Code></Error>' }, 'LinkExpired'],
  [
    { status: 403, body: '<Error><Code>AccessDenied</Code><Message>/f?sig=top-secret</Message></Error>' },
    'AccessDenied',
  ],
])('names the refusal %j, without the query', async (response, code) => {
  const { endpoint } = await startScript([response])
  const error: unknown = await get(`${endpoint}/f?sig=top-secret`).catch((reason: unknown) => reason)
  expect(error).toMatchObject({ code, httpStatus: response.status })
  expect(String(error) + JSON.stringify(error)).not.toContain('secret')
  expect((error as Error).cause).toBeUndefined()
})

test('tells text that is not a link from a link that leads nowhere', async () => {
  expect(() => createUrlStore('ftp://x/y')).toThrow(expect.objectContaining({ code: 'InvalidArgument' }))
  await expect(get('http://no-such-host.invalid/?secret')).rejects.toMatchObject({
    code: 'NetworkError',
    message: expect.not.stringContaining('secret') as string,
  })
})

test('offers nothing but reading', async () => {
  const store = open('http://127.0.0.1:1/')
  const request = { key: 'k', uploadId: 'u', partNumber: 1, parts: [], body: bodyOf(Buffer.alloc(1)), signal }
  const refused = { code: 'OperationNotAvailable', maybeProcessed: false }
  await expect(store.putObject(request)).rejects.toMatchObject(refused)
  await expect(store.createMultipartUpload(request)).rejects.toMatchObject(refused)
  await expect(store.completeMultipartUpload(request)).rejects.toMatchObject(refused)
  await expect(store.deleteObject(request)).rejects.toMatchObject(refused)
})
