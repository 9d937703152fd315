import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { HandledRequest } from '../../electron/demo-store/index.ts'
import {
  contentFiles,
  eventually,
  createUpload,
  json,
  noise,
  partList,
  put,
  startStore,
  uploadPart,
  verdict,
  type Fixture,
} from './support/fixture.ts'
import { signed, type RawRequest } from './support/raw-client.ts'

/** A connection that speaks byte by byte. */
async function rawSocket({ store }: Fixture): Promise<Socket> {
  const { hostname, port } = new URL(store.endpoint)
  const socket = connect(Number(port), hostname)
  onTestFinished(() => void socket.destroy())
  await once(socket, 'connect')
  return socket
}

function head(raw: RawRequest): string {
  const headers = Object.entries({ Host: 'localhost', ...signed(raw) }).map(
    ([name, value]) => `${name}: ${String(value)}`,
  )
  return [`${raw.method ?? 'GET'} ${raw.path} HTTP/1.1`, ...headers, '', ''].join('\r\n')
}

async function readUntil(socket: Socket, marker: string): Promise<string> {
  let text = ''
  for await (const block of socket.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    text += block.toString('latin1')
    if (text.includes(marker)) break
  }
  return text
}

/** Sends GET and gives the answer while its body still waits to be read. */
async function begin({ store }: Fixture, raw: RawRequest): Promise<IncomingMessage> {
  const { hostname, port } = new URL(store.endpoint)
  const outgoing = request({ hostname, port, path: raw.path, headers: signed(raw), agent: false }).end()
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage]
  return incoming
}

async function rest(incoming: IncomingMessage): Promise<Buffer> {
  const blocks: Buffer[] = []
  for await (const block of incoming as AsyncIterable<Buffer>) blocks.push(block)
  return Buffer.concat(blocks)
}

describe('A client that hangs up', () => {
  it('does not stop a completion', async () => {
    const fixture = await startStore()
    const { client } = fixture
    for (let round = 0; round < 10; round++) {
      const path = `/demo/${round}`
      const uploadId = await createUpload(client, path)
      const body = partList([[1, await uploadPart(client, path, uploadId, 1, noise(1000))]])
      const socket = await rawSocket(fixture)
      const headers = { 'Content-Length': body.length }
      socket.write(head({ method: 'POST', path: `${path}?uploadId=${uploadId}`, headers }) + body, () => socket.end())
      socket.resume()
      await eventually(async () => (await client.send({ path })).status).toBe(200)
      expect(verdict(await client.send({ path: `${path}?uploadId=${uploadId}` }))).toBe('404 NoSuchUpload')
    }
  })

  it('in the middle of a body leaves nothing behind', async () => {
    const fixture = await startStore()
    const { client, directory } = fixture
    await put(client, '/demo/key', 'before')
    const uploadId = await createUpload(client, '/demo/key')
    const headers = { 'Content-Length': 1_000_000 }
    for (const path of ['/demo/key', '/demo/new', `/demo/key?partNumber=1&uploadId=${uploadId}`]) {
      for (const leave of ['end', 'destroy', 'resetAndDestroy'] as const) {
        const socket = await rawSocket(fixture)
        socket.on('error', () => undefined)
        socket.write(head({ method: 'PUT', path, headers }))
        socket.write(noise(500_000))
        await eventually(() => contentFiles(directory)).toHaveLength(2)
        socket[leave]()
        await eventually(() => contentFiles(directory)).toHaveLength(1)
      }
    }
    expect((await client.send({ path: '/demo/key' })).body.toString()).toBe('before')
    expect((await client.send({ path: '/demo/new' })).status).toBe(404)
    expect(json(await client.send({ path: `/demo/key?uploadId=${uploadId}` }))).toMatchObject({ Parts: [] })
  })

  it('in the middle of a Complete body completes nothing', async () => {
    const fixture = await startStore()
    const { client } = fixture
    const uploadId = await createUpload(client, '/demo/key')
    const body = partList([[1, await uploadPart(client, '/demo/key', uploadId, 1, noise(10))]])
    const socket = await rawSocket(fixture)
    const headers = { 'Content-Length': body.length + 1 }
    socket.end(head({ method: 'POST', path: `/demo/key?uploadId=${uploadId}`, headers }) + body)
    await readUntil(socket, '\r\n\r\n')
    expect((await client.send({ path: '/demo/key' })).status).toBe(404)
    expect((await client.send({ path: `/demo/key?uploadId=${uploadId}` })).status).toBe(200)
  })

  it('in the middle of a download does not disturb the next', async () => {
    const fixture = await startStore()
    const content = noise(20_000_000)
    await put(fixture.client, '/demo/key', content)
    for (let round = 0; round < 5; round++) (await begin(fixture, { path: '/demo/key' })).destroy()
    expect((await fixture.client.send({ path: '/demo/key' })).body.equals(content)).toBe(true)
    await fixture.client.send({ method: 'DELETE', path: '/demo/key' })
    await eventually(() => contentFiles(fixture.directory)).toEqual([])
  })

  it('with a response still behind another keeps the service from nothing', async () => {
    const fixture = await startStore()
    await put(fixture.client, '/demo/key', noise(20_000_000))
    const socket = await rawSocket(fixture)
    socket.write(head({ path: '/demo/key' }).repeat(2))
    await once(socket, 'readable')
    socket.destroy()
    await fixture.store.close()
  })
})

describe('A download', () => {
  it.each([
    ['replaced', (fixture: Fixture) => put(fixture.client, '/demo/key', 'new')],
    ['deleted', (fixture: Fixture) => fixture.client.send({ method: 'DELETE', path: '/demo/key' })],
  ])('of an object that is %s runs to its end on the old bytes', async (_, change) => {
    const fixture = await startStore()
    const { client, directory } = fixture
    const parts = Array.from({ length: 4 }, () => noise(6_000_000))
    const uploadId = await createUpload(client, '/demo/key')
    const etags = await Promise.all(
      parts.map((part, index) => uploadPart(client, '/demo/key', uploadId, index + 1, part)),
    )
    const body = partList(etags.map((etag, index) => [index + 1, etag] as const))
    await client.send({ method: 'POST', path: `/demo/key?uploadId=${uploadId}`, body })

    const whole = await begin(fixture, { path: '/demo/key' })
    const range = await begin(fixture, { path: '/demo/key', headers: { Range: 'bytes=6000000-23999999' } })
    await change(fixture)
    const wanted = Buffer.concat(parts)
    expect((await rest(whole)).equals(wanted)).toBe(true)
    expect((await rest(range)).equals(wanted.subarray(6_000_000))).toBe(true)
    const filesLeft = (await client.send({ path: '/demo/key' })).status === 200 ? 1 : 0
    await eventually(() => contentFiles(directory)).toHaveLength(filesLeft)
  })
})

describe('A part that ends after its upload did', () => {
  it.each(['aborted', 'completed'])('is NoSuchUpload when it was %s', async (how) => {
    const fixture = await startStore()
    const { client, directory } = fixture
    const uploadId = await createUpload(client, '/demo/key')
    const path = `/demo/key?uploadId=${uploadId}`
    const body = partList([[1, await uploadPart(client, '/demo/key', uploadId, 1, noise(10))]])
    const socket = await rawSocket(fixture)
    const headers = { 'Content-Length': 10 }
    socket.write(head({ method: 'PUT', path: `/demo/key?partNumber=2&uploadId=${uploadId}`, headers }) + '12345')
    await eventually(() => contentFiles(directory)).toHaveLength(2)
    await client.send(how === 'aborted' ? { method: 'DELETE', path } : { method: 'POST', path, body })
    socket.write('67890')
    expect(await readUntil(socket, '"RequestId"')).toMatch(/^HTTP\/1\.1 404 [^]*"Code":"NoSuchUpload"/)
    await eventually(() => contentFiles(directory)).toHaveLength(how === 'aborted' ? 0 : 1)
  })
})

describe('HTTP', () => {
  it('asks for the body of "Expect: 100-continue" once the request is let in', async () => {
    const fixture = await startStore()
    const socket = await rawSocket(fixture)
    const headers = { 'Content-Length': 5, Expect: '100-continue' }
    socket.write(head({ method: 'PUT', path: '/demo/key', headers }))
    expect(await readUntil(socket, '\r\n\r\n')).toMatch(/^HTTP\/1\.1 100 /)
    socket.write('hello')
    expect(await readUntil(socket, '\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 [^]*\r\nConnection: keep-alive\r\n/)
    expect((await fixture.client.send({ path: '/demo/key' })).body.toString()).toBe('hello')
  })

  it('refuses without asking for the body, and closes', async () => {
    const fixture = await startStore()
    const socket = await rawSocket(fixture)
    const headers = { 'Content-Length': 5, Expect: '100-continue' }
    socket.write(head({ method: 'PUT', path: '/missing/key', headers }))
    expect(await readUntil(socket, '"RequestId"')).toMatch(/^HTTP\/1\.1 404 [^]*\r\nConnection: close\r\n/)
  })

  it('keeps a connection whose body it did not want', async () => {
    const fixture = await startStore()
    const socket = await rawSocket(fixture)
    const body = noise(3_000_000)
    socket.write(head({ method: 'PUT', path: '/missing/key', headers: { 'Content-Length': body.length } }))
    socket.write(body)
    expect(await readUntil(socket, '"RequestId"')).toMatch(/^HTTP\/1\.1 404 [^]*\r\nConnection: keep-alive\r\n/)
    socket.write(head({ path: '/demo/' }))
    expect(await readUntil(socket, '"Contents"')).toMatch(/^HTTP\/1\.1 200 /)
  })

  it('takes the absolute form of a request target', async () => {
    const fixture = await startStore()
    await put(fixture.client, '/demo/key', 'x')
    const { Authorization, Date: date } = signed({ path: '/demo/key' })
    const socket = await rawSocket(fixture)
    const headers = `Host: ignored.example\r\nDate: ${String(date)}\r\nAuthorization: ${String(Authorization)}`
    socket.write(`GET http://demo.storage.example/key HTTP/1.1\r\n${headers}\r\n\r\n`)
    expect(await readUntil(socket, '\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 /)
  })

  it.each([
    'nonsense\r\n\r\n',
    'GET demo/key HTTP/1.1\r\nHost: x\r\n\r\n',
    `GET / HTTP/1.1\r\nHost: x\r\nA: ${'a'.repeat(20_000)}\r\n\r\n`,
  ])('answers an error body and a request id to what it cannot read: %.20s', async (text) => {
    const socket = await rawSocket(await startStore({ credentials: null }))
    socket.write(text)
    const response = await readUntil(socket, '"RequestId"')
    expect(response).toMatch(/^HTTP\/1\.1 400 /)
    expect(response).toMatch(/\r\nx-storage-request-id: [0-9a-f-]{36}\r\n/)
    expect(response).toContain('"Code":"InvalidArgument"')
  })

  it.each([
    ['another expectation', { Expect: 'miracles' }, 200],
    ['an upgrade', { Connection: 'Upgrade', Upgrade: 'websocket' }, 200],
  ])('passes over %s', async (_, headers, status) => {
    const { client } = await startStore()
    await put(client, '/demo/key', 'x')
    const response = await client.send({ path: '/demo/key', headers })
    expect(response.status).toBe(status)
    expect(response.headers['x-storage-request-id']).toBeDefined()
  })

  it('answers 400 to a malformed chunked body, and stores nothing', async () => {
    const fixture = await startStore({ credentials: null })
    const socket = await rawSocket(fixture)
    socket.write('PUT /demo/key HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nzz\r\n')
    expect(await readUntil(socket, '"RequestId"')).toMatch(/^HTTP\/1\.1 400 /)
    expect((await fixture.client.send({ path: '/demo/key' })).status).toBe(404)
  })

  it('gives every response its own request id', async () => {
    const { client } = await startStore()
    const responses = await Promise.all(Array.from({ length: 20 }, () => client.send({ path: '/demo/key' })))
    expect(new Set(responses.map(({ headers }) => headers['x-storage-request-id'])).size).toBe(20)
  })

  it('tells about every request that it answered', async () => {
    const requests: HandledRequest[] = []
    const { client } = await startStore({ onRequest: (answered) => requests.push(answered) })
    await put(client, '/demo/a%20b', 'content')
    const response = await client.send({ path: '/demo/a%20b', headers: { Range: 'bytes=0-1' } })
    await eventually(() => requests).toHaveLength(2)
    expect(requests[1]).toEqual({
      method: 'GET',
      target: '/demo/a%20b',
      range: 'bytes=0-1',
      status: 206,
      requestId: response.headers['x-storage-request-id'],
    })
  })
})
