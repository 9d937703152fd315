import { X509Certificate } from 'node:crypto'
import * as https from 'node:https'
import type { TlsOptions } from 'node:tls'
import { expect, test } from 'vitest'
import { inspectCertificate } from '../../electron/stores/http/inspect-certificate.ts'
import type { Network, Route } from '../../electron/stores/network/network.ts'
import { createTrust } from '../../electron/stores/network/trust.ts'
import type { ObjectStore } from '../../electron/stores/port/object-store.ts'
import { CERTIFICATES } from '../support/servers/certificates.ts'
import { startHttpProxy } from '../support/proxies/http-proxy.ts'
import { listenUntilTestEnds } from '../support/servers/scripted-server.ts'
import { contentOf, openStore, signal } from './support/open-store.ts'

type Pair = (typeof CERTIFICATES)[keyof typeof CERTIFICATES]

interface SecureServer {
  readonly endpoint: string
  /** Requests that it got to see. */
  readonly requests: () => number
  readonly show: (pair: Pair) => void
}

async function secureServer(pair: Pair, options: TlsOptions = {}): Promise<SecureServer> {
  let requests = 0
  const server = https.createServer({ ...pair, ...options }, (_request, response) => {
    requests += 1
    response.writeHead(200, { etag: '"e"', 'content-length': 7, connection: 'close' }).end('content')
  })
  const endpoint = await listenUntilTestEnds(server, 'https')
  return { endpoint, requests: () => requests, show: (other) => server.setSecureContext({ ...other, ...options }) }
}

function trusting(authorities: readonly Pair[], pinned: Pair | null = null): Network {
  const { context } = createTrust(authorities.map(({ cert }) => cert))
  const fingerprint = pinned === null ? null : new X509Certificate(pinned.cert).fingerprint256
  const route: Route = { proxy: null, trust: { context, pinned: fingerprint } }
  return { routeTo: () => route }
}

const read = async (store: ObjectStore): Promise<string> =>
  (await contentOf(await store.getObject({ key: 'a', signal }))).body.toString()

test('takes what an added certificate vouches for', async () => {
  const { endpoint } = await secureServer(CERTIFICATES.good)
  expect(await read(openStore(endpoint, { network: trusting([CERTIFICATES.good]) }))).toBe('content')
})

test.each(['good', 'expired', 'otherHost'] as const)('takes the very certificate that is pinned: %s', async (name) => {
  const server = await secureServer(CERTIFICATES[name])
  const store = openStore(server.endpoint, { network: trusting([], CERTIFICATES[name]) })
  expect([await read(store), await read(store)]).toEqual(['content', 'content'])
})

test.each([
  ['nobody vouches for', 'good', [], null, 'DEPTH_ZERO_SELF_SIGNED_CERT'],
  ['has another fingerprint than the pinned one', 'good', [], 'otherHost', 'the certificate is not the trusted one'],
  ['is of another name', 'otherHost', ['otherHost'], null, 'ERR_TLS_CERT_ALTNAME_INVALID'],
  ['is of another name, with another one pinned', 'otherHost', ['otherHost'], 'good', 'ERR_TLS_CERT_ALTNAME_INVALID'],
  ['has expired', 'expired', ['expired'], null, 'CERT_HAS_EXPIRED'],
  ['has expired, with another one pinned', 'expired', ['expired'], 'good', 'CERT_HAS_EXPIRED'],
] as const)('sends nothing where the certificate %s', async (_what, shown, authorities, pinned, words) => {
  const server = await secureServer(CERTIFICATES[shown])
  const known = authorities.map((name) => CERTIFICATES[name])
  const store = openStore(server.endpoint, { network: trusting(known, pinned === null ? null : CERTIFICATES[pinned]) })
  for (let round = 0; round < 2; round += 1) {
    await expect(store.getObject({ key: 'a', signal })).rejects.toMatchObject({
      code: 'CertificateError',
      maybeProcessed: false,
      message: expect.stringContaining(words) as string,
    })
  }
  expect(server.requests()).toBe(0)
})

test.each(['TLSv1.2', 'TLSv1.3'] as const)(
  'notices that a pinned server shows another certificate (%s)',
  async (version) => {
    const server = await secureServer(CERTIFICATES.good, { minVersion: version, maxVersion: version })
    const store = openStore(server.endpoint, { network: trusting([], CERTIFICATES.good) })
    expect([await read(store), await read(store)]).toEqual(['content', 'content'])
    server.show(CERTIFICATES.otherHost)
    await expect(store.getObject({ key: 'a', signal })).rejects.toMatchObject({ code: 'CertificateError' })
    expect(server.requests()).toBe(2)
  },
)

test('a pinned server may as well show a certificate that checks out', async () => {
  const { endpoint } = await secureServer(CERTIFICATES.good)
  const network = trusting([CERTIFICATES.good], CERTIFICATES.otherHost)
  expect(await read(openStore(endpoint, { network }))).toBe('content')
})

test.each(['straight', 'through a proxy'])('looks at a certificate and says nothing to the server: %s', async (way) => {
  const server = await secureServer(CERTIFICATES.expired)
  const proxy = way === 'straight' ? null : await startHttpProxy()
  const route: Route = {
    proxy: proxy === null ? null : { host: '127.0.0.1', port: proxy.port, credentials: null },
    trust: createTrust([CERTIFICATES.expired.cert]),
  }
  const { certificate, problem } = await inspectCertificate(server.endpoint, route, signal)
  expect(certificate.fingerprint256).toBe(new X509Certificate(CERTIFICATES.expired.cert).fingerprint256)
  expect([problem, server.requests()]).toEqual(['CERT_HAS_EXPIRED', 0])
  expect(proxy?.tunnels ?? []).toHaveLength(proxy === null ? 0 : 1)
})

test('has no certificate to show of what does not speak TLS, or is not there', async () => {
  const route: Route = { proxy: null, trust: createTrust([]) }
  await expect(inspectCertificate('https://127.0.0.1:1', route, signal)).rejects.toMatchObject({ code: 'NetworkError' })
})
