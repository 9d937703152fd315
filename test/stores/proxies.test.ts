import * as https from 'node:https'
import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { classify } from '../../electron/engine/retry/classify.ts'
import { createUrlStore } from '../../electron/stores/index.ts'
import type { Network, Proxy, Route } from '../../electron/stores/network/network.ts'
import { createTrust } from '../../electron/stores/network/trust.ts'
import { CERTIFICATES } from '../support/servers/certificates.ts'
import { startHttpProxy, type HttpProxy } from '../support/proxies/http-proxy.ts'
import { listenUntilTestEnds, startRaw, startScript } from '../support/servers/scripted-server.ts'
import { bodyOf, contentOf, openStore, signal } from './support/open-store.ts'

const MIB = 1024 * 1024
const SIGN_IN = { user: 'ann', password: 'se:cret' }

/** Everything goes through this proxy; the certificate of the tests is trusted. */
function through({ port }: Pick<HttpProxy, 'port'>, credentials: Proxy['credentials'] = null): Network {
  const route: Route = { proxy: { host: '127.0.0.1', port, credentials }, trust: createTrust([CERTIFICATES.good.cert]) }
  return { routeTo: () => route }
}

/** Answers every request with these bytes, over TLS. */
async function secureServer(bytes: Buffer): Promise<{ readonly authority: string; readonly sent: () => Buffer[] }> {
  const bodies: Buffer[] = []
  const server = https.createServer(CERTIFICATES.good, (request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      bodies.push(Buffer.concat(pieces))
      const content = request.method === 'GET' ? bytes : ''
      response.writeHead(200, { etag: '"e"', 'content-length': content.length }).end(content)
    })
  })
  const endpoint = await listenUntilTestEnds(server, 'https')
  return { authority: new URL(endpoint).host, sent: () => bodies }
}

test('reaches a secure service through a tunnel, which it keeps; the proxy looks the name up', async () => {
  const bytes = Buffer.alloc(3 * MIB + 17, 'content ')
  const server = await secureServer(bytes)
  const proxy = await startHttpProxy({ hosts: { 'localhost:4443': server.authority } })
  const store = openStore('https://localhost:4443', { network: through(proxy) })
  for (let round = 0; round < 3; round += 1) {
    const { body } = await contentOf(await store.getObject({ key: 'a', signal }))
    expect(body.equals(bytes)).toBe(true)
  }
  await store.uploadPart({ key: 'a', uploadId: 'u', partNumber: 1, body: bodyOf(bytes), contentMd5: 'x', signal })
  expect(server.sent().at(-1)?.equals(bytes)).toBe(true)
  expect(proxy.tunnels).toEqual(['localhost:4443'])
  expect(proxy.broughtBytes).toBeGreaterThan(3 * bytes.length)
})

test('gives a plain service’s whole address to the proxy, the key byte for byte', async () => {
  const server = await startScript([{ status: 200, headers: { etag: '"e"' }, body: 'content' }])
  const proxy = await startHttpProxy({ hosts: { 'store.invalid': new URL(server.endpoint).host } })
  const store = openStore('http://store.invalid', { network: through(proxy) })
  const { body } = await contentOf(await store.getObject({ key: 'a b/../ü', signal }))
  expect(body.toString()).toBe('content')
  expect(server.requests[0]?.url).toBe('/demo/a%20b/../%C3%BC')
  expect(proxy.requests).toHaveLength(1)
  expect(server.requests[0]?.headers).toMatchObject({ host: 'store.invalid' })
})

test.each(['https', 'http'])('tells a sign-in that it can’t do from one that it can (%s)', async (scheme) => {
  const ntlm = await startHttpProxy({ signIn: SIGN_IN, challenge: 'Negotiate, NTLM' })
  const store = openStore(`${scheme}://store.invalid`, { network: through(ntlm) })
  const refused: unknown = await store.getObject({ key: 'a', signal }).catch((error: unknown) => error)
  expect(refused).toMatchObject({ code: 'ProxyUnsupported', httpStatus: 407, maybeProcessed: false })
  expect(classify(refused)).toMatchObject({ kind: 'stop', error: { info: { code: 'proxy-unsupported' } } })
  const both = await startHttpProxy({ signIn: SIGN_IN, challenge: 'Negotiate, NTLM, Basic realm="office"' })
  const other = openStore(`${scheme}://store.invalid`, { network: through(both) })
  await expect(other.getObject({ key: 'a', signal })).rejects.toMatchObject({ code: 'ProxySignInNeeded' })
})

test.each(['https', 'http'])('signs in at the proxy, and tells nobody else (%s)', async (scheme) => {
  const secure = await secureServer(Buffer.from('content'))
  const plain = await startScript([{ status: 200, headers: { etag: '"e"' }, body: 'content' }])
  const hosts = { 'localhost:4443': secure.authority, 'localhost:8000': new URL(plain.endpoint).host }
  const proxy = await startHttpProxy({ signIn: SIGN_IN, hosts })
  const endpoint = scheme === 'https' ? 'https://localhost:4443' : 'http://localhost:8000'
  const refused = await openStore(endpoint, { network: through(proxy) })
    .getObject({ key: 'a', signal })
    .catch((error: unknown) => error)
  expect(refused).toMatchObject({ code: 'ProxySignInNeeded', httpStatus: 407, maybeProcessed: false })
  expect(classify(refused)).toMatchObject({ kind: 'stop', error: { info: { code: 'proxy-sign-in' } } })
  const wrong = openStore(endpoint, { network: through(proxy, { ...SIGN_IN, password: 'wr0ng' }) })
  const failure: unknown = await wrong.getObject({ key: 'a', signal }).catch((error: unknown) => error)
  expect(inspect(failure)).toMatch(/rejected the name and password/)
  expect(inspect(failure, { depth: 9, showHidden: true })).not.toMatch(/wr0ng|'ann'/)
  const store = openStore(endpoint, { network: through(proxy, SIGN_IN) })
  expect((await contentOf(await store.getObject({ key: 'a', signal }))).body.toString()).toBe('content')
  expect(JSON.stringify(plain.requests.map(({ headers }) => headers))).not.toContain('proxy-authorization')
  // The service's own key is for the service: a tunnel hides it from the proxy.
  const hasServiceKey = proxy.headers.some(({ authorization }) => authorization !== undefined)
  expect(hasServiceKey).toBe(scheme === 'http')
})

test.each(['https://localhost:4443', 'http://localhost:8000'])('names the proxy that is not there: %s', async (to) => {
  const proxy = await startHttpProxy()
  await proxy.down()
  const network = through(proxy)
  const unreachable: string[] = []
  const watched = { ...network, unreachable: ({ host }: Proxy) => unreachable.push(host) }
  const failure = await openStore(to, { network: watched })
    .getObject({ key: 'a', signal })
    .catch((error: unknown) => error)
  expect(failure).toMatchObject({ code: 'ProxyError', maybeProcessed: false })
  expect(String(failure)).toContain(`Connecting through the proxy 127.0.0.1:${proxy.port} failed (ECONNREFUSED`)
  expect(classify(failure)).toMatchObject({ kind: 'wait', reason: 'proxy' })
  expect(unreachable).toEqual(['127.0.0.1'])
})

test.each([
  [403, 'ProxyRefused', /does not allow connections to localhost:4443/],
  [502, 'ProxyError', /could not connect to localhost:4443/],
  [503, 'ProxyError', /could not connect/],
])('says what the proxy makes of it: %d', async (connectStatus, code, words) => {
  const proxy = await startHttpProxy({ connectStatus })
  await expect(
    openStore('https://localhost:4443', { network: through(proxy) }).getObject({ key: 'a', signal }),
  ).rejects.toMatchObject({ code, message: expect.stringMatching(words) as string, maybeProcessed: false })
})

test.each([
  ['is no proxy', 'SSH-2.0-OpenSSH\r\n\r\n'],
  ['speaks before it was asked', 'HTTP/1.1 200 OK\r\n\r\nextra'],
  ['never ends its head', `HTTP/1.1 200 OK\r\nx: ${'x'.repeat(70_000)}`],
])('takes no tunnel from what %s', async (_what, response) => {
  const { endpoint } = await startRaw((socket) => socket.once('data', () => socket.write(response)))
  const network = through({ port: Number(new URL(endpoint).port) })
  await expect(openStore('https://localhost:4443', { network }).headObject({ key: 'a', signal })).rejects.toMatchObject(
    {
      code: 'ProxyError',
    },
  )
})

test('a certificate that does not check out is the service’s failure, also behind a proxy', async () => {
  const server = https.createServer(CERTIFICATES.expired, (_request, response) => response.end())
  const endpoint = await listenUntilTestEnds(server, 'https')
  const proxy = await startHttpProxy()
  await expect(openStore(endpoint, { network: through(proxy) }).headObject({ key: 'a', signal })).rejects.toMatchObject(
    {
      code: 'CertificateError',
      message: expect.stringContaining(new URL(endpoint).host) as string,
    },
  )
})

test('new connections follow a change at once; kept ones are not used any more', async () => {
  const server = await startScript([{ status: 200, headers: { etag: '"e"' }, body: 'content' }])
  const [first, second] = [await startHttpProxy(), await startHttpProxy()]
  const routes = [through(first), through(second)].map((network) => network.routeTo('') as Route)
  let current = 0
  const network: Network = { routeTo: () => routes[current] ?? Promise.reject(new Error('No route')) }
  const store = createUrlStore(`${server.endpoint}/file`, network)
  await contentOf(await store.getObject({ key: '', signal }))
  current = 1
  await contentOf(await store.getObject({ key: '', signal }))
  await contentOf(await store.getObject({ key: '', signal }))
  expect([first.requests.length, second.requests.length]).toEqual([1, 2])
  await store.close()
})
