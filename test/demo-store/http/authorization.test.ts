import { describe, expect, it } from 'vitest'
import { canonicalString } from '../../../shared/place/storage-signature.ts'
import { createUpload, put, startStore, verdict } from '../support/fixture.ts'
import { ACCESS_KEY, signed, type RawRequest } from '../support/raw-client.ts'

const MINUTE_MS = 60_000

function httpDate(offsetMs: number, nowMs = Date.now()): string {
  return new Date(nowMs + offsetMs).toUTCString()
}

describe('Authorization', () => {
  it.each(['sha1', 'sha256'] as const)('takes HMAC-%s over every kind of request', async (hash) => {
    const { client } = await startStore()
    const uploadId = await createUpload(client, '/demo/k%C3%A9y%20%2B+%2F')
    const requests = [
      { path: '/demo/' },
      { path: '/demo/?uploads&prefix=a' },
      { path: '/demo/?prefix=a&max-keys=3' },
      { method: 'PUT', path: '/demo/k%C3%A9y%20%2B+%2F', body: 'x', headers: { 'Content-Type': 'text/plain' } },
      { method: 'PUT', path: '/demo/with', body: 'x', headers: { 'X-Storage-B': ' b ', 'x-storage-A': 'a' } },
      { path: '/demo/k%C3%A9y%20%2B+%2F' },
      { path: '/demo/with?other=1' },
      { method: 'PUT', path: `/demo/k%C3%A9y%20%2B+%2F?uploadId=${uploadId}&partNumber=2`, body: 'x' },
      { path: `/demo/k%C3%A9y%20%2B+%2F?uploadId=${uploadId}` },
      { method: 'DELETE', path: `/demo/k%C3%A9y%20%2B+%2F?uploadId=${uploadId}` },
    ]
    for (const request of requests) {
      const { status } = await client.send({ ...request, hash })
      expect(status, request.path).toBeLessThan(300)
    }
  })

  it.each([
    ['none', null],
    ['empty', ''],
    ['one word', 'STORAGE'],
    ['no colon', `STORAGE ${ACCESS_KEY}`],
    ['no signature', `STORAGE ${ACCESS_KEY}:`],
    ['no key', 'STORAGE :c2lnbmF0dXJl'],
    ['no scheme', `${ACCESS_KEY}:c2lnbmF0dXJl`],
    ['another shape', 'Basic dXNlcjpwYXNz'],
    ['three words', `STORAGE ${ACCESS_KEY}:c2ln bmF0`],
    ['an unknown key', 'STORAGE somebody:c2lnbmF0dXJl'],
  ])('answers AccessDenied to %s', async (_, authorization) => {
    const { client } = await startStore()
    expect(verdict(await client.send({ path: '/demo/key', authorization }))).toBe('403 AccessDenied')
  })

  it('takes any scheme word', async () => {
    const { client } = await startStore()
    const request = { path: '/demo/' }
    const { Date: date, Authorization: authorization } = signed(request)
    const renamed = String(authorization).replace('STORAGE', 'ACME-v1')
    const response = await client.send({ ...request, headers: { Date: date }, authorization: renamed })
    expect(response.status).toBe(200)
  })

  it.each<[string, Partial<RawRequest>]>([
    ['another method', { method: 'DELETE' }],
    ['another key', { path: '/demo/other' }],
    ['another bucket', { path: '/other/key' }],
    ['another Content-Type', { headers: { 'Content-Type': 'text/html' } }],
    ['another Content-MD5', { headers: { 'Content-MD5': 'AAAAAAAAAAAAAAAAAAAAAA==' } }],
    ['another Date', { headers: { Date: httpDate(-MINUTE_MS) } }],
    ['an extra x-storage header', { headers: { 'x-storage-a': 'b' } }],
    ['an extra sub-resource', { path: '/demo/key?uploadId=x' }],
  ])('answers SignatureDoesNotMatch to a signature of %s', async (_, change) => {
    const { client } = await startStore()
    const { Authorization: authorization, ...headers } = signed({ path: '/demo/key' })
    const request = { path: '/demo/key', ...change, headers: { ...headers, ...change.headers } }
    const response = await client.send({ ...request, authorization: String(authorization) })
    expect(verdict(response)).toBe('403 SignatureDoesNotMatch')
  })

  it.each(['c2lnbmF0dXJl', 'AAAAAAAAAAAAAAAAAAAAAAAAAAA=', '!', 'ü'])(
    'answers SignatureDoesNotMatch to “%s”',
    async (text) => {
      const { client } = await startStore()
      const authorization = `STORAGE ${ACCESS_KEY}:${text}`
      expect(verdict(await client.send({ path: '/demo/key', authorization }))).toBe('403 SignatureDoesNotMatch')
    },
  )

  it('signs the key as its decoded name, however it was escaped', async () => {
    const { client } = await startStore()
    await put(client, '/demo/a%20b', 'x')
    for (const path of ['/demo/a%20b', '/demo/%61%20%62', '/%64emo/a%20b']) {
      expect((await client.send({ path, resource: '/demo/a b' })).status, path).toBe(200)
      expect(verdict(await client.send({ path, resource: path.replace('/demo/a b', '') })), path).toBe('403 SignatureDoesNotMatch') // prettier-ignore
    }
  })

  it.each(['partNumber', 'uploadId'])(
    'says what is wrong with an empty %s, with its signature in order',
    async (name) => {
      const { client } = await startStore()
      for (const path of [`/demo/?${name}=`, `/demo/?${name}`, `/demo/k?${name}=`]) {
        for (const resource of [path.replace('=', ''), `${path.replace('=', '')}=`]) {
          const expected = path === '/demo/k?uploadId=' ? '404 NoSuchUpload' : '400 InvalidArgument'
          expect(verdict(await client.send({ path, resource })), `${path} as ${resource}`).toBe(expected)
        }
      }
    },
  )

  it('stores nothing of a request that is refused', async () => {
    const { client } = await startStore()
    await client.send({ method: 'PUT', path: '/demo/key', body: 'x', authorization: null })
    expect(verdict(await client.send({ path: '/demo/key' }))).toBe('404 NoSuchKey')
  })

  it('asks for nothing when anonymous', async () => {
    const { client } = await startStore({ credentials: null })
    const request = { headers: { Date: '' }, authorization: null }
    expect((await client.send({ ...request, method: 'PUT', path: '/demo/key', body: 'x' })).status).toBe(200)
    expect((await client.send({ ...request, path: '/demo/key' })).status).toBe(200)
    expect((await client.send({ path: '/demo/key' })).status).toBe(200)
  })
})

describe('Date', () => {
  it.each([
    ['15 minutes less a bit behind', -15 * MINUTE_MS + 10_000, '200'],
    ['15 minutes less a bit ahead', 15 * MINUTE_MS - 10_000, '200'],
    ['more than 15 minutes behind', -15 * MINUTE_MS - 10_000, '403 RequestTimeTooSkewed'],
    ['more than 15 minutes ahead', 15 * MINUTE_MS + 10_000, '403 RequestTimeTooSkewed'],
  ])('%s', async (_, offsetMs, expected) => {
    const nowMs = Date.now()
    const { client } = await startStore({ now: () => nowMs })
    expect(verdict(await client.send({ path: '/demo/', headers: { Date: httpDate(offsetMs, nowMs) } }))).toBe(expected)
  })

  it.each(['', 'now', '2026-01-01T00:00:00Z', '1700000000'])('answers AccessDenied to the Date “%s”', async (date) => {
    const { client } = await startStore()
    expect(verdict(await client.send({ path: '/demo/', headers: { Date: date } }))).toBe('403 AccessDenied')
  })

  it('of the response is the time that a client has to sign with', async () => {
    const { client } = await startStore({ now: () => Date.parse('2040-05-06T07:08:09Z') })
    const refused = await client.send({ path: '/demo/' })
    expect(verdict(refused)).toBe('403 RequestTimeTooSkewed')
    expect(refused.headers.date).toBe('Sun, 06 May 2040 07:08:09 GMT')
    expect((await client.send({ path: '/demo/', headers: { Date: refused.headers.date } })).status).toBe(200)
  })

  it('is answered to HEAD too, with status 403 and no body', async () => {
    const { client } = await startStore()
    const response = await client.send({
      method: 'HEAD',
      path: '/demo/key',
      headers: { Date: httpDate(-20 * MINUTE_MS) },
    })
    expect([response.status, response.body.length]).toEqual([403, 0])
    expect(Date.parse(response.headers.date ?? '')).toBeGreaterThan(Date.now() - MINUTE_MS)
  })
})

describe('canonicalString', () => {
  it('puts empty lines for missing headers and nothing for missing sub-resources', () => {
    const request = { method: 'GET', date: 'D', bucket: 'b', key: '' }
    expect(canonicalString(request)).toBe('GET\n\n\nD\n/b/')
  })

  it('sorts x-storage headers and signed sub-resources, and leaves the rest out', () => {
    expect(
      canonicalString({
        method: 'PUT',
        contentMd5: 'M',
        contentType: 'T',
        date: 'D',
        storageHeaders: [['X-Storage-Z', ' z '], ['Host', 'h'], ['x-storage-a', 'a']], // prettier-ignore
        bucket: 'b',
        key: 'ä b',
        subresources: [['uploads', ''], ['uploadId', 'a b'], ['prefix', 'p'], ['partNumber', '1']], // prettier-ignore
      }),
    ).toBe('PUT\nM\nT\nD\nx-storage-a:a\nx-storage-z:z\n/b/ä b?partNumber=1&uploadId=a b&uploads')
  })
})
