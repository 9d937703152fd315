import { once } from 'node:events'
import type { Socket } from 'node:net'
import * as tls from 'node:tls'
import { setImmediate } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { expect, onTestFinished, test } from 'vitest'
import { createConnectionPool } from '../../electron/stores/http/connection-pool.ts'
import { DIRECT } from '../../electron/stores/network/network.ts'
import { exchange } from '../../electron/stores/http/exchange.ts'
import { StoreError } from '../../electron/stores/port/store-error.ts'
import { startFaultProxy, type FaultProxy } from '../support/fault-server/fault-server.ts'
import { NOBODY_LISTENS } from '../support/servers/nobody-listens.ts'
import { listenUntilTestEnds, startRaw, startScript } from '../support/servers/scripted-server.ts'
import { CERTIFICATE } from '../support/servers/untrusted-certificate.ts'
import { bodyOf, bytesOf, openStore, signal } from './support/open-store.ts'
import { whenHolds } from '../support/tools/when-holds.ts'

const MIB = 1024 * 1024
const OK = { status: 200, headers: { etag: '"e"' } }

async function proxyTo(target: string): Promise<FaultProxy> {
  const proxy = await startFaultProxy({ target })
  onTestFinished(() => proxy.close())
  return proxy
}

test('knows that nothing was sent when nobody listens', async () => {
  await expect(openStore(`http://${NOBODY_LISTENS}`).listObjects({ signal })).rejects.toMatchObject({
    code: 'NetworkError',
    httpStatus: null,
    maybeProcessed: false,
    message: expect.stringContaining('ECONNREFUSED') as string,
  })
})

test('knows that nothing was sent when the host has no address', async () => {
  await expect(openStore('http://no-such-host.invalid').listObjects({ signal })).rejects.toMatchObject({
    code: 'NetworkError',
    maybeProcessed: false,
  })
})

test('sends nothing to a server whose certificate is not trusted', async () => {
  let receivedBytes = 0
  const server = tls.createServer(CERTIFICATE, (socket) =>
    socket.on('data', (data: Buffer) => (receivedBytes += data.length)),
  )
  server.on('tlsClientError', () => undefined)
  const endpoint = await listenUntilTestEnds(server, 'https')
  await expect(openStore(endpoint).listObjects({ signal })).rejects.toMatchObject({
    code: 'CertificateError',
    maybeProcessed: false,
  })
  expect(receivedBytes).toBe(0)
})

test('prefers the ciphers that a browser prefers, and offers all that Node offers', async () => {
  const TLS_AES_128_GCM_SHA256 = 0x1301
  const offers: number[][] = []
  const { endpoint } = await startRaw((socket) =>
    socket.once('data', (hello: Buffer) => {
      offers.push(ciphersOf(hello))
      socket.destroy()
    }),
  )
  await openStore(endpoint.replace('http:', 'https:')).listObjects({ signal }).catch(String)
  tls.connect({ host: '127.0.0.1', port: Number(new URL(endpoint).port) }).on('error', () => undefined)
  await whenHolds(() => expect(offers).toHaveLength(2))
  const [ours = [], nodes = []] = offers
  expect(ours[0]).toBe(TLS_AES_128_GCM_SHA256)
  expect([...ours].sort()).toEqual([...nodes].sort())
})

/** The cipher suites of a ClientHello, in its order (RFC 8446, 4.1.2). */
function ciphersOf(hello: Buffer): number[] {
  const sessionAt = 5 + 4 + 2 + 32
  const at = sessionAt + 1 + hello.readUInt8(sessionAt)
  return Array.from({ length: hello.readUInt16BE(at) / 2 }, (_, index) => hello.readUInt16BE(at + 2 + 2 * index))
}

test('sends nothing to a server that does not speak TLS', async () => {
  const { endpoint } = await startScript([OK])
  await expect(openStore(endpoint.replace('http:', 'https:')).listObjects({ signal })).rejects.toMatchObject({
    code: 'NoSecureConnection',
    maybeProcessed: false,
  })
})

test.each(['request', 'response'] as const)('does not know what became of a request reset at %s', async (at) => {
  const target = await startScript([OK])
  const proxy = await proxyTo(target.endpoint)
  proxy.rule({ fault: { kind: 'reset', at } })
  const put = openStore(proxy.endpoint).putObject({ key: 'k', body: bodyOf(Buffer.alloc(10)), signal })
  await expect(put).rejects.toMatchObject({ code: 'NetworkError', maybeProcessed: true })
  expect(proxy.log.length).toBe(1)
})

test('stops an upload at once when it is aborted', async () => {
  let server: Socket | undefined
  let receivedBytes = 0
  const { endpoint } = await startRaw((socket) => {
    server = socket
    socket.on('data', (data) => (receivedBytes += data.length))
    socket.once('data', () => socket.pause())
  })
  const aborter = new AbortController()
  const reason = new Error('pause')
  let sentBytes = 0
  const put = openStore(endpoint).putObject({
    key: 'k',
    body: bodyOf(Buffer.alloc(64 * MIB)),
    onSent: (bytes) => (sentBytes += bytes),
    signal: aborter.signal,
  })
  const outcome = expect(put).rejects.toBe(reason)
  // Nothing moves any more: the system's buffers are full.
  for (let turns = 0, before = 0; turns < 200; turns += 1) {
    await setImmediate()
    if (sentBytes !== before || sentBytes === 0) turns = 0
    before = sentBytes
  }
  aborter.abort(reason)
  await outcome
  const closed = new Promise((resolve) => server?.once('close', resolve))
  server?.resume()
  await closed
  // What the system still held was dropped: with an orderly end all of it would have arrived.
  expect(receivedBytes).toBeLessThan(sentBytes / 2)
})

test('rejects at once when aborted, while connecting, while waiting, or before it has begun', async () => {
  const { endpoint } = await startRaw(() => undefined)
  const aborter = new AbortController()
  const reason = new Error('pause')
  const waiting = openStore(endpoint).listObjects({ signal: aborter.signal })
  const connecting = openStore('http://192.0.2.1').listObjects({ signal: aborter.signal })
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve()
  aborter.abort(reason)
  await expect(waiting).rejects.toBe(reason)
  await expect(connecting).rejects.toBe(reason)
  await expect(openStore(endpoint).listObjects({ signal: aborter.signal })).rejects.toBe(reason)
})

/** A server of one endless body; `gone` resolves when its client has left. */
async function startEndless() {
  let resolve = () => {}
  const gone = new Promise<void>((settle) => (resolve = settle))
  const { endpoint } = await startRaw((socket: Socket) => {
    socket.once('close', () => resolve())
    socket.once('data', () => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000000000000\r\n\r\n')
      const more = () => {
        while (socket.writable && socket.write(Buffer.alloc(65536))) continue
      }
      socket.on('drain', more)
      more()
    })
  })
  return { endpoint, gone }
}

test('closes the connection of a download that is aborted, and tells its reader why', async () => {
  const { endpoint, gone } = await startEndless()
  const aborter = new AbortController()
  const reason = new Error('pause')
  const result = await openStore(endpoint).getObject({ key: 'k', signal: aborter.signal })
  const reading = bytesOf(
    (async function* () {
      for await (const bytes of result.kind === 'content' ? result.body : []) {
        yield bytes
        aborter.abort(reason)
      }
    })(),
  )
  await expect(reading).rejects.toBe(reason)
  await gone
})

test.each(['after a piece', 'unread'])('closes the connection of a download that is left %s', async (when) => {
  const { endpoint, gone } = await startEndless()
  const result = await openStore(endpoint).getObject({ key: 'k', signal })
  const iterator = (result.kind === 'content' ? result.body : bodyOf(Buffer.alloc(0)).open())[Symbol.asyncIterator]()
  if (when !== 'unread') await iterator.next()
  await iterator.return?.()
  await gone
  expect(await iterator.next()).toEqual({ done: true, value: undefined })
})

test('reports a refusal that comes in the middle of an upload', async () => {
  const { endpoint } = await startRaw((socket) =>
    socket.once('data', () => {
      const body = '{"Error":{"Code":"AccessDenied"}}'
      socket.end(`HTTP/1.1 403 Forbidden\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`)
    }),
  )
  const store = openStore(endpoint)
  const body = bodyOf(Buffer.alloc(20 * MIB))
  for (let round = 0; round < 10; round += 1) {
    await expect(store.putObject({ key: 'k', body, signal })).rejects.toMatchObject({
      code: 'AccessDenied',
      httpStatus: 403,
      maybeProcessed: false,
    })
  }
})

/** Refuses every request at once and hangs up on its body. A thread of its own, for it must not wait for the client. */
const REFUSING_SERVER = `
  const { createServer } = require('node:net')
  const body = '{"Error":{"Code":"AccessDenied"}}'
  const answer = 'HTTP/1.1 403 Forbidden\\r\\nContent-Length: ' + body.length + '\\r\\n\\r\\n' + body
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () => socket.write(answer, () => socket.destroy()))
  })
  server.listen(0, '127.0.0.1', () => require('node:worker_threads').parentPort.postMessage(server.address().port))
`

test('usually reads the refusal of a server that closes the connection in the middle of an upload', async () => {
  const server = new Worker(REFUSING_SERVER, { eval: true })
  onTestFinished(async () => void (await server.terminate()))
  const [port] = (await once(server, 'message')) as [number]
  const store = openStore(`http://127.0.0.1:${port}`)
  const body = bodyOf(Buffer.alloc(4 * MIB))
  let readCount = 0
  for (let round = 0; round < 40; round += 1) {
    const error: unknown = await store.putObject({ key: 'k', body, signal }).catch((reason: unknown) => reason)
    if (error instanceof StoreError && error.code === 'AccessDenied') readCount += 1
  }
  // A reset may overtake the answer, which is then asked for again; but that is rare.
  expect(readCount).toBeGreaterThan(20)
})

test('gives up on a server that doesn’t answer, or stops midway', async () => {
  const silent = await startRaw(() => undefined)
  const stalled = await startRaw((socket) =>
    socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc')),
  )
  const ask = (endpoint: string) => {
    const pool = createConnectionPool(endpoint)
    onTestFinished(() => pool.close())
    const request = { method: 'GET', target: '/', headers: {}, headersTimeoutMs: 1000, idleTimeoutMs: 1000 } as const
    return exchange(pool, () => request, signal)
  }
  await expect(ask(silent.endpoint)).rejects.toMatchObject({ code: 'NetworkError', maybeProcessed: true })
  const response = await ask(stalled.endpoint)
  await expect(bytesOf(response.body)).rejects.toMatchObject({
    code: 'NetworkError',
    message: expect.stringContaining('stalled') as string,
  })
})

test('keeps to the number of connections, and drops requests that no longer wait', async () => {
  const pool = createConnectionPool('http://127.0.0.1:1', DIRECT, 1)
  const aborter = new AbortController()
  const first = await pool.acquire(signal)
  const impatient = pool.acquire(aborter.signal)
  const patient = pool.acquire(signal)
  aborter.abort(new Error('pause'))
  await expect(impatient).rejects.toThrow('pause')
  pool.release(first)
  expect(await patient).toBe(first)
  await pool.close()
})

test('asks with a new connection after the old one was closed by the service', async () => {
  const { endpoint } = await startRaw((socket) =>
    socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}')),
  )
  const store = openStore(endpoint)
  for (let round = 0; round < 10; round += 1) {
    expect(await store.listObjects({ signal })).toMatchObject({ objects: [] })
    await setImmediate()
  }
})

test('ends running requests when its connections are dropped', async () => {
  const target = await startScript([{ status: 200, body: '{}' }])
  const proxy = await proxyTo(target.endpoint)
  proxy.rule({ times: 1, fault: { kind: 'stall', at: 'request' } })
  const store = openStore(proxy.endpoint)
  const stalled = store.listObjects({ signal })
  await proxy.seen({})
  store.dropConnections()
  await expect(stalled).rejects.toMatchObject({ code: 'NetworkError', maybeProcessed: true })
  expect(await store.listObjects({ signal })).toMatchObject({ objects: [] })
})
