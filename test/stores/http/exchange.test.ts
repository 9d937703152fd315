import type { Socket } from 'node:net'
import { setImmediate, setTimeout } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createConnectionPool, type ConnectionPool } from '../../../electron/stores/http/connection-pool.ts'
import { exchange, type HttpRequest } from '../../../electron/stores/http/exchange.ts'
import { startRaw } from '../../support/servers/scripted-server.ts'
import { whenHolds } from '../../support/tools/when-holds.ts'
import { bodyOf, bytesOf, signal } from '../support/open-store.ts'

const GET: HttpRequest = { method: 'GET', target: '/', headers: {} }
const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'

/** A server whose connections, counted from 0, answer a request as `answer` says. */
async function startServer(respond: (socket: Socket, connection: number) => void) {
  const server = { connectionCount: 0, pool: null as unknown as ConnectionPool }
  const { endpoint } = await startRaw((socket) => {
    const connection = server.connectionCount
    server.connectionCount += 1
    socket.on('data', () => respond(socket, connection))
  })
  server.pool = createConnectionPool(endpoint)
  onTestFinished(() => server.pool.close())
  return server
}

async function ask(pool: ConnectionPool, request: HttpRequest = GET): Promise<string> {
  const { body } = await exchange(pool, () => request, signal)
  return (await bytesOf(body)).toString()
}

test('asks once more when a kept connection turns out to be dead', async () => {
  let responses = 0
  const server = await startServer((socket, connection) => {
    responses += 1
    if (connection === 0 && responses === 2) socket.resetAndDestroy()
    else socket.write(OK)
  })
  let built = 0
  const request = () => ({ ...GET, headers: { 'x-built': String((built += 1)) } })
  for (let round = 0; round < 2; round += 1) {
    const { body } = await exchange(server.pool, request, signal)
    expect((await bytesOf(body)).toString()).toBe('ok')
  }
  expect([server.connectionCount, built]).toEqual([2, 3])
})

test.each([
  ['a request that is not safe to repeat', { ...GET, method: 'PUT', body: Buffer.from('x') } as const, ''],
  ['an answer that has begun', GET, 'HTTP/1.1 200'],
])('does not repeat %s', async (_what, request, beginning) => {
  let responses = 0
  const server = await startServer((socket) => {
    responses += 1
    if (responses === 1) socket.write(OK)
    else if (beginning === '') socket.resetAndDestroy()
    else socket.end(beginning)
  })
  await ask(server.pool)
  await expect(ask(server.pool, request)).rejects.toMatchObject({ code: 'NetworkError', maybeProcessed: true })
  expect([server.connectionCount, responses]).toEqual([1, 2])
})

test('does not ask a second time on a new connection', async () => {
  const server = await startServer((socket) => socket.destroy())
  await expect(ask(server.pool)).rejects.toMatchObject({ code: 'NetworkError', maybeProcessed: true })
  expect(server.connectionCount).toBe(1)
})

test.each([
  ['Connection: close', 'HTTP/1.1 200 OK\r\nConnection: x, Close\r\nContent-Length: 2\r\n\r\nok', 2],
  ['HTTP/1.0', 'HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok', 2],
  ['Keep-Alive of a second', 'HTTP/1.1 200 OK\r\nKeep-Alive: timeout=1\r\nContent-Length: 2\r\n\r\nok', 2],
  ['bytes that nobody asked for', `${OK}HTTP/1.1 200 OK\r\n`, 2],
  ['nothing against it', OK, 1],
])('after %s keeps its connection or not', async (_what, response, connectionCount) => {
  const server = await startServer((socket) => socket.write(response))
  expect([await ask(server.pool), await ask(server.pool)]).toEqual(['ok', 'ok'])
  expect(server.connectionCount).toBe(connectionCount)
})

test('does not keep a connection whose server answers before it has the whole request', async () => {
  const server = await startServer((socket, connection) => {
    socket.write(connection === 0 ? 'HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\n\r\nno' : OK)
    socket.pause()
  })
  const put = { ...GET, method: 'PUT', body: bodyOf(Buffer.alloc(32 * 1024 * 1024)) } as const
  expect([await ask(server.pool, put), await ask(server.pool)]).toEqual(['no', 'ok'])
  expect(server.connectionCount).toBe(2)
})

test('sends nothing of a body that can not be opened', async () => {
  const server = await startServer((socket) => socket.write(OK))
  const open = () => {
    throw Object.assign(new Error('gone'), { code: 'ENOENT' })
  }
  const put = { ...GET, method: 'PUT', body: { sizeBytes: 10, open } } as const
  await expect(ask(server.pool, put)).rejects.toMatchObject({ code: 'ENOENT' })
  expect(await ask(server.pool)).toBe('ok')
})

test('keeps a connection usable whose last block came while its reader was busy', async () => {
  const sizeBytes = 1024 * 1024
  const server = await startServer((socket) => {
    socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${sizeBytes}\r\n\r\n`)
    socket.write(Buffer.alloc(sizeBytes))
  })
  for (let round = 0; round < 3; round += 1) {
    const { body } = await exchange(server.pool, () => GET, signal)
    const first = await body.next()
    // The rest comes meanwhile, and fills the second block to the brim.
    for (let turn = 0; turn < 300; turn += 1) await setImmediate()
    expect((first.value as Uint8Array).length + (await bytesOf(body)).length).toBe(sizeBytes)
  }
  expect(server.connectionCount).toBe(1)
})

test('hands over what a slow connection has brought without waiting for more', async () => {
  let server: Socket | undefined
  const { pool } = await startServer((socket) => {
    server = socket
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nabc')
  })
  const { body } = await exchange(pool, () => GET, signal)
  const first = await body.next()
  expect(Buffer.from(first.value as Uint8Array).toString()).toBe('abc')
  server?.write('def')
  expect((await bytesOf(body)).toString()).toBe('def')
})

test('does not count the time in which nobody reads', async () => {
  const { pool } = await startServer((socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nab'))
  const { body } = await exchange(pool, () => ({ ...GET, idleTimeoutMs: 500 }), signal)
  const waiting = createConnectionPool('http://127.0.0.1:1')
  onTestFinished(() => waiting.close())
  // Another request's time runs out meanwhile, on a clock of the same length.
  const silent = await startServer(() => undefined)
  const other = exchange(silent.pool, () => ({ ...GET, headersTimeoutMs: 1500 }), signal)
  await expect(other).rejects.toMatchObject({ code: 'NetworkError' })
  const first = await body.next()
  expect(Buffer.from(first.value as Uint8Array).toString()).toBe('ab')
  await expect(body.next()).rejects.toMatchObject({ message: expect.stringContaining('stalled') as string })
})

test.each([
  ['in its body', 'HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n'],
  ['in its head', 'HTTP/1.1 200 OK\r\nx-y: '],
])('gives up a response of which a byte comes now and then, %s', async (_where, beginning) => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const sockets: Socket[] = []
  const { pool } = await startServer((socket) => {
    sockets.push(socket)
    socket.write(beginning)
  })
  let error: unknown = null
  const asking = ask(pool).catch((failure: unknown) => (error = failure))
  await expect.poll(() => sockets.length).toBe(1)
  let waitedMs = 0
  for (; error === null && waitedMs < 200_000; waitedMs += 5000) {
    sockets[0]?.write('x')
    await setTimeout(20)
    await vi.advanceTimersByTimeAsync(5000)
  }
  await asking
  expect(error).toMatchObject({ code: 'NetworkError', message: expect.stringContaining('stalled') as string })
  expect(waitedMs).toBeLessThan(70_000)
})

test.each([
  [{ target: '/a b' }, { name: 'TypeError' }],
  [{ target: '/ü' }, { name: 'TypeError' }],
  [{ headers: { 'x\r\ny': 'z' } }, { code: 'InvalidArgument', maybeProcessed: false }],
  [{ headers: { x: 'y\r\nz: 1' } }, { code: 'InvalidArgument', maybeProcessed: false }],
  [{ headers: { x: '\0' } }, { code: 'InvalidArgument', maybeProcessed: false }],
  [{ headers: { authorization: 'key\u200b' } }, { code: 'InvalidAccessKeyId', maybeProcessed: false }],
])('never sends %j', async (changes, failure) => {
  const server = await startServer((socket) => socket.write(OK))
  await expect(ask(server.pool, { ...GET, ...changes })).rejects.toMatchObject(failure)
  await setImmediate()
  expect(server.connectionCount).toBe(0)
})

test('a response that came whole counts, though its connection is reset before anybody looks at it', async () => {
  const body = JSON.stringify({ Uploads: [], IsTruncated: false })
  const server = await startServer((socket) => {
    const response = `HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`
    socket.setNoDelay(true).write(response, () => socket.resetAndDestroy())
  })
  for (let round = 0; round < 5; round += 1) expect(await ask(server.pool)).toBe(body)
})

test.each(['a stop', 'the end of its time'])('waits for no way to the service beyond %s', async (which) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const controller = new AbortController()
  const unknown = { routeTo: () => new Promise<never>(() => undefined) }
  const asked = exchange(createConnectionPool('http://store.example', unknown), () => GET, controller.signal)
  if (which === 'a stop') {
    controller.abort('pause')
    await expect(asked).rejects.toBe('pause')
  } else {
    const late = { code: 'NetworkError', maybeProcessed: false, trouble: { code: 'connect-timeout' } }
    await Promise.all([expect(asked).rejects.toMatchObject(late), vi.advanceTimersByTimeAsync(10_000)])
  }
})

test.each([
  ['an upload that the system has taken whole still arrives', 1, true],
  ['no more is sent of one that it has not', 64, false],
])('after an abort %s', async (_what, sizeMiB, isWhole) => {
  const body = bodyOf(Buffer.alloc(sizeMiB * 1024 * 1024))
  let readOn = (): void => undefined
  let end = (_: number): void => undefined
  const arrived = new Promise<number>((resolve) => (end = resolve))
  const { endpoint } = await startRaw((socket) => {
    let count = 0
    socket.pause()
    socket.on('data', (bytes) => (count += bytes.length))
    socket.on('close', () => end(count))
    readOn = () => void socket.resume()
  })
  const pool = createConnectionPool(endpoint)
  const controller = new AbortController()
  let sent = 0
  let sentAtMs = 0
  const onSent = (bytes: number): void => void ((sent += bytes), (sentAtMs = performance.now()))
  const request = (): HttpRequest => ({ method: 'PUT', target: '/', headers: {}, body, onSent })
  const asked = exchange(pool, request, controller.signal)
  // All of it, or as much as the system takes while nobody reads.
  await whenHolds(() => expect(sent === body.sizeBytes || (sent > 0 && performance.now() - sentAtMs > 200)).toBe(true))
  controller.abort('pause')
  await expect(asked).rejects.toBe('pause')
  readOn()
  expect((await arrived) > body.sizeBytes).toBe(isWhole)
})
