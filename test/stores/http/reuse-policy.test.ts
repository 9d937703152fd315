import { expect, onTestFinished, test } from 'vitest'
import { createConnectionPool } from '../../../electron/stores/http/connection-pool.ts'
import { exchange, type HttpRequest } from '../../../electron/stores/http/exchange.ts'
import { ReusePolicy, type SmallResponse } from '../../../electron/stores/http/reuse-policy.ts'
import { startRaw } from '../../support/servers/scripted-server.ts'
import { startTcpProxy } from '../../support/proxies/tcp-proxy.ts'
import { bytesOf, signal } from '../support/open-store.ts'

const GET: HttpRequest = { method: 'GET', target: '/', headers: {} }
/** Long beside what connecting takes on a busy machine, too. */
const LATE_MS = 500

/** A service that writes head and body apart, the body late where `isLate` says so; requests are counted from 0. */
async function startService(isLate: (request: number) => boolean, body = 'ok') {
  const service = { connectionCount: 0, endpoint: '' }
  const { endpoint } = await startRaw((socket) => {
    socket.setNoDelay(true)
    service.connectionCount += 1
    let requests = 0
    socket.on('data', () => {
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n`)
      if (isLate(requests)) setTimeout(() => socket.write(body), LATE_MS)
      else socket.write(body)
      requests += 1
    })
  })
  service.endpoint = endpoint
  return service
}

function clientOf(endpoint: string): () => Promise<number> {
  const pool = createConnectionPool(endpoint)
  onTestFinished(() => pool.close())
  return async () => {
    const { body } = await exchange(pool, () => GET, signal)
    return (await bytesOf(body)).length
  }
}

test('makes a new connection for each small response where kept ones hold the body back', async () => {
  const service = await startService((request) => request > 0)
  const ask = clientOf(service.endpoint)
  while (service.connectionCount < 2) await ask()
  for (let round = 0; round < 5; round += 1) expect(await ask()).toBe(2)
  expect(service.connectionCount).toBe(7)
})

test('keeps the connection after bigger responses there', async () => {
  const service = await startService((request) => request > 0, 'x'.repeat(64 * 1024 + 1))
  const ask = clientOf(service.endpoint)
  for (let round = 0; round < 6; round += 1) await ask()
  expect(service.connectionCount).toBe(1)
})

test('keeps the connection to a distant service', async () => {
  const service = await startService(() => false)
  const proxy = await startTcpProxy({ targetPort: Number(new URL(service.endpoint).port), delayMs: 20 })
  onTestFinished(() => proxy.close())
  const ask = clientOf(proxy.endpoint)
  for (let round = 0; round < 8; round += 1) await ask()
  expect(service.connectionCount).toBe(1)
})

function responses(policy: ReusePolicy, count: number, response: SmallResponse): boolean[] {
  return Array.from({ length: count }, () => policy.isWorthKeeping(response))
}

const PROMPT_NEW = { isKept: false, connectMs: 1, waitMs: 0 }
const LATE_KEPT = { isKept: true, connectMs: 1, waitMs: 41 }

test('gives kept connections up at the third late body in a row', () => {
  const policy = new ReusePolicy()
  expect(responses(policy, 2, LATE_KEPT)).toEqual([true, true])
  expect(responses(policy, 1, { ...LATE_KEPT, waitMs: 1 })).toEqual([true])
  expect(responses(policy, 3, LATE_KEPT)).toEqual([true, true, false])
})

test('learns nothing from responses without a body, and closes after them too', () => {
  const policy = new ReusePolicy()
  responses(policy, 2, LATE_KEPT)
  expect(policy.isWorthKeeping({ ...LATE_KEPT, waitMs: null })).toBe(true)
  expect(policy.isWorthKeeping(LATE_KEPT)).toBe(false)
  expect(policy.isWorthKeeping({ ...PROMPT_NEW, waitMs: null })).toBe(false)
})

test.each([
  ['a wait that connecting would not shorten', { isKept: true, connectMs: 40, waitMs: 79 }],
  ['a wait shorter than a late acknowledgement', { isKept: true, connectMs: 1, waitMs: 24 }],
  ['a late body on a new connection', { isKept: false, connectMs: 1, waitMs: 41 }],
])('keeps connections in spite of %s', (_what, response) => {
  expect(responses(new ReusePolicy(), 10, response)).not.toContain(false)
})

test('looks at kept connections again after a thousand responses', () => {
  const policy = new ReusePolicy()
  responses(policy, 3, LATE_KEPT)
  expect(responses(policy, 999, PROMPT_NEW)).not.toContain(true)
  expect(policy.isWorthKeeping(PROMPT_NEW)).toBe(true)
  expect(responses(policy, 3, LATE_KEPT)).toEqual([true, true, false])
})

test('keeps connections again where new ones are as late', () => {
  const policy = new ReusePolicy()
  responses(policy, 3, LATE_KEPT)
  expect(responses(policy, 3, { ...LATE_KEPT, isKept: false })).toEqual([false, false, true])
  expect(responses(policy, 999, LATE_KEPT)).not.toContain(false)
})
