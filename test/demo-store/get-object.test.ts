import { describe, expect, it } from 'vitest'
import {
  complete,
  createUpload,
  md5,
  MIN_PART,
  noise,
  put,
  startStore,
  uploadPart,
  verdict,
  type Fixture,
} from './support/fixture.ts'

const CONTENT = Buffer.from('0123456789abcdefghij')

async function withObject(): Promise<Fixture> {
  const fixture = await startStore()
  await put(fixture.client, '/demo/object', CONTENT, { 'Content-Type': 'text/plain' })
  return fixture
}

describe('GetObject', () => {
  it('answers the whole object with the headers that are documented', async () => {
    const { client } = await withObject()
    const { status, headers, body } = await client.send({ path: '/demo/object' })
    expect(status).toBe(200)
    expect(body).toEqual(CONTENT)
    expect(headers).toMatchObject({
      etag: `"${md5(CONTENT)}"`,
      'content-type': 'text/plain',
      'content-length': '20',
      'x-storage-object-type': 'Normal',
      connection: 'keep-alive',
      server: 'Sluice',
    })
    expect(headers['x-storage-request-id']).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
    expect(new Date(headers['last-modified'] ?? '').toUTCString()).toBe(headers['last-modified'])
    expect(headers.date).toMatch(/ GMT$/)
    expect(headers).not.toHaveProperty('content-range')
    expect(headers).not.toHaveProperty('accept-ranges')
    expect(headers).not.toHaveProperty('transfer-encoding')
  })

  it('answers NoSuchKey with 404 and the error body for a missing object', async () => {
    const { client } = await startStore()
    const response = await client.send({ path: '/demo/missing' })
    expect(response.status).toBe(404)
    expect(response.headers['content-type']).toBe('application/json')
    expect(JSON.parse(response.body.toString())).toEqual({
      Error: {
        Code: 'NoSuchKey',
        Message: expect.any(String) as string,
        Resource: '/demo/missing',
        RequestId: response.headers['x-storage-request-id'],
      },
    })
  })

  it.each([
    ['bytes=0-9', 0, 9],
    ['bytes=0-0', 0, 0],
    ['bytes=5-', 5, 19],
    ['bytes=19-', 19, 19],
    ['bytes=-3', 17, 19],
    ['bytes=-20', 0, 19],
    ['bytes=-21', 0, 19],
    ['bytes=-99999999999999999999999', 0, 19],
    ['bytes=10-99999999999999999999999', 10, 19],
    ['bytes=0-19', 0, 19],
  ])('answers %s with 206 and Content-Range', async (range, first, last) => {
    const { client } = await withObject()
    const { status, headers, body } = await client.send({ path: '/demo/object', headers: { Range: range } })
    expect(status).toBe(206)
    expect(body).toEqual(CONTENT.subarray(first, last + 1))
    expect(headers).toMatchObject({
      'accept-ranges': 'bytes',
      'content-range': `bytes ${first}-${last}/20`,
      'content-length': String(last - first + 1),
      'x-storage-object-type': 'Normal',
      etag: `"${md5(CONTENT)}"`,
      'content-type': 'text/plain',
    })
  })

  it.each([
    'bytes=20-',
    'bytes=20-30',
    'bytes=9-0',
    'bytes=-0',
    'bytes=-',
    'bytes=',
    'bytes=0-1,3-4',
    'bytes=a-b',
    'bytes=0x1-5',
  ])('ignores the range %s: the whole object, no Content-Range', async (range) => {
    const { client } = await withObject()
    const { status, headers, body } = await client.send({ path: '/demo/object', headers: { Range: range } })
    expect([status, body, headers['content-range']]).toEqual([200, CONTENT, undefined])
  })

  it.each(['items=0-1', 'bytes 0-1', 'bytes=0 - 1', '0-1'])('ignores the range form %s', async (range) => {
    const { client } = await withObject()
    const { status, body } = await client.send({ path: '/demo/object', headers: { Range: range } })
    expect([status, body]).toEqual([200, CONTENT])
  })

  it.each(['bytes=0-', 'bytes=0-0', 'bytes=-1'])('answers %s of an empty object with 200', async (range) => {
    const { client } = await startStore()
    await put(client, '/demo/empty', '')
    const { status, headers, body } = await client.send({ path: '/demo/empty', headers: { Range: range } })
    expect([status, body.length, headers['content-length'], headers['content-range']]).toEqual([200, 0, '0', undefined])
  })

  it('answers ranges across part borders byte for byte', async () => {
    const { client } = await startStore()
    const parts = [noise(MIN_PART + 1), noise(MIN_PART + 700_001), noise(3)]
    const whole = Buffer.concat(parts)
    const uploadId = await createUpload(client, '/demo/joined')
    const etags = await Promise.all(
      parts.map((part, index) => uploadPart(client, '/demo/joined', uploadId, index + 1, part)),
    )
    await complete(
      client,
      '/demo/joined',
      uploadId,
      etags.map((etag, index) => [index + 1, etag] as const),
    )

    const borders = [0, MIN_PART, MIN_PART + 1, MIN_PART + 2, 2 * MIN_PART + 700_002, whole.length - 1]
    const pairs = borders.flatMap((first) =>
      borders.filter((last) => first <= last).map((last) => [first, last] as const),
    )
    for (const [first, last] of pairs) {
      const { status, body } = await client.send({ path: '/demo/joined', headers: { Range: `bytes=${first}-${last}` } })
      expect(status).toBe(206)
      expect(body.equals(whole.subarray(first, last + 1)), `${first}-${last}`).toBe(true)
    }
    expect((await client.send({ path: '/demo/joined' })).body.equals(whole)).toBe(true)
  })

  it('serves 32 ranges at a time', async () => {
    const { client } = await startStore()
    const content = noise(8_000_000)
    await put(client, '/demo/big', content)
    const responses = await Promise.all(
      Array.from({ length: 32 }, (_, index) =>
        client.send({ path: '/demo/big', headers: { Range: `bytes=${index * 250_000}-${(index + 1) * 250_000 - 1}` } }),
      ),
    )
    expect(Buffer.concat(responses.map(({ body }) => body)).equals(content)).toBe(true)
  })
})

describe('If-Modified-Since', () => {
  it.each([
    ['earlier', -1000, 200],
    ['the same second', 0, 304],
    ['later', 1000, 304],
    ['in the far future', 10 * 365 * 86_400_000, 304],
  ])('%s than the modification', async (_, offsetMs, status) => {
    const { client } = await withObject()
    const modified = (await client.send({ path: '/demo/object' })).headers['last-modified'] ?? ''
    const since = new Date(Date.parse(modified) + offsetMs).toUTCString()
    const response = await client.send({ path: '/demo/object', headers: { 'If-Modified-Since': since } })
    expect([response.status, response.body.length]).toEqual([status, status === 304 ? 0 : 20])
  })

  it('is compared in whole seconds', async () => {
    const startMs = Date.parse('2030-01-01T00:00:00.999Z')
    const { client } = await startStore({ now: () => startMs, credentials: null })
    await put(client, '/demo/object', CONTENT)
    const headers = { 'If-Modified-Since': 'Tue, 01 Jan 2030 00:00:00 GMT' }
    expect((await client.send({ path: '/demo/object', headers })).status).toBe(304)
  })

  it.each(['Sunday, 06-Nov-94 08:49:37 GMT', 'Sun Nov  6 08:49:37 1994', 'Sun, 06 Nov 1994 08:49:37 GMT'])(
    'reads the HTTP date %s',
    async (since) => {
      const { client } = await startStore({ now: () => Date.parse('1994-11-06T08:49:37Z'), credentials: null })
      await put(client, '/demo/object', CONTENT)
      expect((await client.send({ path: '/demo/object', headers: { 'If-Modified-Since': since } })).status).toBe(304)
    },
  )

  it.each([
    'tomorrow',
    '2099-01-01',
    'Thu, 31 Feb 2099 00:00:00 GMT',
    'Thu, 01 Jan 2099 25:00:00 GMT',
    '4070908800',
    '',
  ])('is ignored when unreadable: “%s”', async (since) => {
    const { client } = await withObject()
    const response = await client.send({ path: '/demo/object', headers: { 'If-Modified-Since': since } })
    expect([response.status, response.body]).toEqual([200, CONTENT])
  })

  it('is answered before Range', async () => {
    const { client } = await withObject()
    const headers = (offsetMs: number): Record<string, string> => ({
      'If-Modified-Since': new Date(Date.now() + offsetMs).toUTCString(),
      Range: 'bytes=0-1',
    })
    expect((await client.send({ path: '/demo/object', headers: headers(60_000) })).status).toBe(304)
    expect((await client.send({ path: '/demo/object', headers: headers(-60_000) })).status).toBe(206)
  })
})

describe('HeadObject', () => {
  it('answers the headers of GetObject without a body, and ignores Range', async () => {
    const { client } = await withObject()
    const get = await client.send({ path: '/demo/object' })
    const head = await client.send({ method: 'HEAD', path: '/demo/object', headers: { Range: 'bytes=0-1' } })
    expect([head.status, head.body.length]).toEqual([200, 0])
    for (const name of ['etag', 'last-modified', 'content-type', 'content-length', 'x-storage-object-type']) {
      expect(head.headers[name]).toBe(get.headers[name])
    }
    expect(head.headers).not.toHaveProperty('content-range')
  })

  it('honors If-Modified-Since, and answers 404 without a body', async () => {
    const { client } = await withObject()
    const headers = { 'If-Modified-Since': new Date(Date.now() + 60_000).toUTCString() }
    expect((await client.send({ method: 'HEAD', path: '/demo/object', headers })).status).toBe(304)
    const missing = await client.send({ method: 'HEAD', path: '/demo/missing' })
    expect([missing.status, missing.body.length]).toEqual([404, 0])
    // The connection is still in step.
    expect(verdict(await client.send({ path: '/demo/object' }))).toBe('200')
  })
})
