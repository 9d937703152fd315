import { once } from 'node:events'
import * as http from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { createPace } from './fault-pace.ts'
import { startFaultProxy, type FaultProxy } from './fault-server.ts'
import type { Fault } from './fault-rules.ts'

const closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

/** A target that answers GET with 100 kB and counts what it takes. */
async function startTarget() {
  const taken: { method: string; bytes: number; range: string | undefined }[] = []
  const server = http.createServer((request, response) => {
    const seen = { method: request.method ?? '', bytes: 0, range: request.headers.range }
    taken.push(seen)
    request.on('error', () => undefined)
    request.on('data', (chunk: Buffer) => (seen.bytes += chunk.length))
    request.on('end', () => response.end(Buffer.alloc(100_000, 'a')))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closers.push(async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })
  return { taken, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

async function start(fault?: Fault) {
  const target = await startTarget()
  const proxy = await startFaultProxy({ target: target.url, rules: fault === undefined ? [] : [{ fault }] })
  closers.push(() => proxy.close())
  return { target, proxy }
}

/** Sends one request; `error` is set when the connection broke, `body` is what came before. */
async function send(proxy: FaultProxy, options: http.RequestOptions = {}, body?: Buffer) {
  return new Promise<{ status?: number; body: Buffer; headers: http.IncomingHttpHeaders; error?: string }>(
    (resolve) => {
      const parts: Buffer[] = []
      let status: number | undefined
      let headers: http.IncomingHttpHeaders = {}
      const end = (error?: NodeJS.ErrnoException) =>
        resolve({
          ...(status === undefined ? {} : { status }),
          ...(error === undefined ? {} : { error: error.code ?? error.message }),
          body: Buffer.concat(parts),
          headers,
        })
      const request = http.request(`${proxy.endpoint}/some/key`, { agent: false, ...options }, (response) => {
        status = response.statusCode
        headers = response.headers
        response.on('data', (chunk: Buffer) => parts.push(chunk))
        response.on('end', () => end())
        response.on('error', end)
      })
      request.on('error', end)
      request.end(body)
    },
  )
}

describe('fault proxy', () => {
  test('forwards what no rule touches', async () => {
    const { proxy, target } = await start()
    const response = await send(proxy, { method: 'PUT' }, Buffer.alloc(70_000))
    expect({ status: response.status, isWhole: response.body.equals(Buffer.alloc(100_000, 'a')) }).toEqual({
      status: 200,
      isWhole: true,
    })
    expect(target.taken).toEqual([{ method: 'PUT', bytes: 70_000, range: undefined }])
    expect(proxy.log).toMatchObject([
      { method: 'PUT', url: '/some/key', status: 200, requestBytes: 70_000, responseBytes: 100_000, faults: [] },
    ])
  })

  test('resets before anything reaches the target', async () => {
    const { proxy, target } = await start({ kind: 'reset', at: 'request' })
    expect(await send(proxy)).toMatchObject({ error: 'ECONNRESET' })
    expect(target.taken).toEqual([])
  })

  test('resets after so many bytes of the request', async () => {
    const { proxy } = await start({ kind: 'reset', at: { requestBytes: 65_000 } })
    const { error } = await send(proxy, { method: 'PUT' }, Buffer.alloc(1_000_000))
    expect(error).toMatch(/ECONNRESET|EPIPE/)
    expect(proxy.log).toMatchObject([{ requestBytes: 65_000, status: null, faults: ['reset'] }])
  })

  test('resets after exactly so many bytes of the response', async () => {
    const { proxy } = await start({ kind: 'reset', at: { responseBytes: 1234 } })
    const response = await send(proxy)
    expect(response).toMatchObject({ status: 200, error: 'ECONNRESET' })
    expect(response.body.length).toBe(1234)
  })

  test('closes early, so that the body is shorter than announced', async () => {
    const { proxy } = await start({ kind: 'close', at: { responseBytes: 10 } })
    expect(await send(proxy)).toMatchObject({ error: 'ECONNRESET', body: Buffer.alloc(10, 'a') })
  })

  test('loses a response that the target has given', async () => {
    const { proxy, target } = await start({ kind: 'drop-response' })
    expect(await send(proxy, { method: 'POST' }, Buffer.alloc(5))).toMatchObject({ error: 'ECONNRESET' })
    expect(target.taken).toEqual([{ method: 'POST', bytes: 5, range: undefined }])
  })

  test('answers by itself, and only as often as told', async () => {
    const { proxy, target } = await start()
    const rule = proxy.rule({
      times: 1,
      fault: { kind: 'response', status: 503, headers: { 'retry-after': '7' }, body: 'busy' },
    })
    expect(await send(proxy)).toMatchObject({ status: 503, headers: { 'retry-after': '7' }, body: Buffer.from('busy') })
    expect(await send(proxy)).toMatchObject({ status: 200 })
    expect({ hits: rule.hits, taken: target.taken.length }).toEqual({ hits: 1, taken: 1 })
  })

  test('answers in the place of a target that has processed the request', async () => {
    const { proxy, target } = await start({ kind: 'response', status: 504, afterTarget: true })
    expect(await send(proxy, { method: 'POST' })).toMatchObject({ status: 504 })
    expect(target.taken.length).toBe(1)
  })

  test('changes headers, range and body', async () => {
    const { proxy, target } = await start({ kind: 'headers', set: { ETag: '"other"', 'Content-Length': null } })
    proxy.rule({ fault: { kind: 'ignore-range' } })
    proxy.rule({ fault: { kind: 'corrupt', responseByte: 3 } })
    proxy.rule({ fault: { kind: 'shorten', bytes: 5 } })
    const response = await send(proxy, { headers: { range: 'bytes=0-9' } })
    expect(response.headers).toMatchObject({ etag: '"other"', 'transfer-encoding': 'chunked' })
    expect(response.body.toString()).toBe('aaa`a')
    expect(target.taken[0]?.range).toBeUndefined()
  })

  test('stalls until released, by query and try', async () => {
    const { proxy } = await start()
    let release = () => {}
    const until = new Promise<void>((resolve) => (release = resolve))
    const when = { query: { partNumber: 2 }, attempt: 1 }
    proxy.rule({ when, fault: { kind: 'stall', at: 'request', until } })
    const path = '/some/key?partNumber=2&uploadId=x'
    const first = send(proxy, { path })
    await proxy.seen(when)
    expect(await send(proxy, { path })).toMatchObject({ status: 200 })
    release()
    expect(await first).toMatchObject({ status: 200 })
  })

  test('keeps to a rate', async () => {
    const { proxy } = await start({ kind: 'limit', bytesPerSecond: 1_000_000 })
    const startedAtMs = performance.now()
    const response = await send(proxy)
    expect(response.body.length).toBe(100_000)
    expect(performance.now() - startedAtMs).toBeGreaterThanOrEqual(90)
  })
  test('sends no burst after the process stood still', async () => {
    const limit = { kind: 'limit', bytesPerSecond: 1000 } as const
    const pace = createPace(limit, () => undefined, new Promise(() => undefined))
    await pace.wait(0, 50)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500)
    const startedAtMs = performance.now()
    await pace.wait(50, 200)
    expect(performance.now() - startedAtMs).toBeGreaterThanOrEqual(170)
  })
})
