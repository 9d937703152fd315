import { X509Certificate } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import * as https from 'node:https'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import type { CredentialStore } from '../../../electron/services/persistence/credential-store.ts'
import { createSystemProxies, parseProxyList } from '../../../electron/services/network/system-proxies.ts'
import { createNetworkRequests } from '../../../electron/ipc/network-handlers.ts'
import { openNetwork } from '../../../electron/services/network/app-network.ts'
import { createUrlStore } from '../../../electron/stores/index.ts'
import { DEFAULT_PROXY } from '../../../shared/ipc/network-requests.ts'
import type { Place } from '../../../shared/place/place.ts'
import { CERTIFICATES } from '../../support/servers/certificates.ts'
import { startHttpProxy } from '../../support/proxies/http-proxy.ts'
import { memoryValues } from '../../support/fakes/named-values.ts'
import { listenUntilTestEnds, startScript } from '../../support/servers/scripted-server.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'
import { transferRow } from '../../support/fakes/transfer-rows.ts'

const reversed = (text: string): string => [...text].reverse().join('')
const credentials: CredentialStore = { state: () => 'ready', seal: reversed, open: reversed }
const MANUAL = { ...DEFAULT_PROXY, mode: 'manual', host: 'proxy.corp', port: 3128, user: 'ann' } as const

const open = (values = memoryValues(), answer = 'DIRECT', keyring: CredentialStore = credentials) =>
  openNetwork({ values, credentials: keyring, session: { resolveProxy: () => Promise.resolve(answer) } })

it('keeps the proxy that was set, its password sealed, and uses it for all but what is exempt', async () => {
  const values = memoryValues()
  const first = await open(values)
  await first.setProxy({ ...MANUAL, password: 'secret' })
  expect(values.text()).not.toContain('secret')
  const network = await open(values)
  expect(JSON.stringify(network.state())).not.toContain('secret')
  expect(network.state()).toMatchObject({ proxy: MANUAL, hasPassword: true })
  const { proxy } = await network.routeTo('http://store.example')
  expect(proxy).toEqual({ host: 'proxy.corp', port: 3128, credentials: { user: 'ann', password: 'secret' } })
  expect((await network.routeTo('http://127.0.0.1:9000')).proxy).toBeNull()
  await network.setProxy({ ...MANUAL, exempt: 'store.example', password: null })
  expect((await network.routeTo('http://store.example')).proxy).toBeNull()
  expect((await network.routeTo('http://other.example')).proxy).toMatchObject({ credentials: { password: 'secret' } })
  await network.setProxy({ ...MANUAL, user: '', password: null })
  expect(network.state().hasPassword).toBe(false)
})

it('keeps what it can read of its settings beside what a newer version wrote, and that as it is', async () => {
  const values = memoryValues()
  const facts = { subject: 's', issuer: 'i', fingerprint: 'AA', validFrom: 'f', validTo: 't' }
  const newer = { host: 'nas.example', port: 'any', certificate: facts }
  const known = { host: 'old.example', port: 443, certificate: { ...facts, pinned: true } }
  const proxy = { ...MANUAL, mode: 'script', script: 'http://pac.corp' }
  await values.put('network', JSON.stringify({ proxy, authorities: [], servers: [newer, known], resolver: 'doh' }))
  const network = await open(values)
  // What was entered may be the only way out that is allowed.
  expect(network.state()).toMatchObject({ proxy: MANUAL, servers: [{ host: 'old.example' }] })
  await network.distrust({ host: 'nowhere', port: 1 })
  expect(JSON.parse(values.text())).toMatchObject({ proxy, resolver: 'doh', servers: [known, newer] })
})

it('carries out all that is changed at a time', async () => {
  const values = memoryValues()
  const facts = { subject: 's', issuer: 'i', validFrom: 'f', validTo: 't' }
  const authorities = ['AA', 'BB'].map((fingerprint) => ({ pem: 'PEM', certificate: { ...facts, fingerprint } }))
  const server = { host: 'nas.example', port: 443, certificate: { ...facts, fingerprint: 'CC' } }
  await values.put('network', JSON.stringify({ authorities, servers: [server] }))
  const network = await open(values)
  await Promise.all([
    network.removeAuthority('AA'),
    network.removeAuthority('BB'),
    network.distrust(server),
    network.setProxy({ ...MANUAL, password: null }),
  ])
  const left = { authorities: [], servers: [], proxy: MANUAL }
  expect(network.state()).toMatchObject(left)
  expect(JSON.parse(values.text())).toMatchObject(left)
})

it('keeps the sealed password while the keyring is locked, asks no proxy without it, and uses it once it is not', async () => {
  const values = memoryValues()
  await (await open(values)).setProxy({ ...MANUAL, password: 'secret' })
  let isLocked = true
  const keyring: CredentialStore = {
    state: () => (isLocked ? 'locked' : 'ready'),
    seal: (text) => (isLocked ? null : reversed(text)),
    open: (text) => (isLocked ? null : reversed(text)),
  }
  const network = await open(values, 'DIRECT', keyring)
  expect(network.state().hasPassword).toBe(true)
  for (const password of [null, 'entered anew']) {
    await network.setProxy({ ...MANUAL, exempt: 'localhost, 127.0.0.1', password })
    expect(values.text()).toContain(JSON.stringify(reversed('secret')))
  }
  const again = await open(values, 'DIRECT', keyring)
  await expect(again.routeTo('http://store.example')).rejects.toMatchObject({ code: 'ProxyKeyringLocked' })
  expect((await again.routeTo('http://127.0.0.1:9000')).proxy).toBeNull()
  isLocked = false
  again.unlock()
  const { proxy } = await again.routeTo('http://store.example')
  expect(proxy).toMatchObject({ credentials: { user: 'ann', password: 'secret' } })
})

it('asks no proxy without the password that was sealed under a keyring that was reset', async () => {
  const values = memoryValues()
  await (await open(values)).setProxy({ ...MANUAL, password: 'secret' })
  const network = await open(values, 'DIRECT', { ...credentials, open: () => null })
  await expect(network.routeTo('http://store.example')).rejects.toMatchObject({ code: 'ProxySignInNeeded' })
  await network.setProxy({ ...MANUAL, password: 'entered anew' })
  const { proxy } = await network.routeTo('http://store.example')
  expect(proxy).toMatchObject({ credentials: { password: 'entered anew' } })
})

it.each([{ host: 'elsewhere' }, { port: 3129 }, { user: 'ben' }])(
  'gives a proxy’s password to no other host, port or user: %j',
  async (change) => {
    const values = memoryValues()
    const network = await open(values)
    await network.setProxy({ ...MANUAL, password: 'secret' })
    const state = await network.setProxy({ ...MANUAL, ...change, password: null })
    expect(state.hasPassword).toBe(false)
    expect((await network.routeTo('http://store.example')).proxy).toMatchObject({ credentials: { password: '' } })
    const later = await open(values)
    expect((await later.routeTo('http://store.example')).proxy).toMatchObject({ credentials: { password: '' } })
  },
)

it('shows the certificate of the very host that a transfer or place is asked at', async () => {
  const origins: string[] = []
  const inspect = (origin: string) => Promise.reject(new Error(String(origins.push(origin))))
  const place = { endpoint: 'https://s3.example', dialect: 's3', pathStyle: false, region: '', bucket: '' } as const
  const rows = [
    transferRow({ id: 'one', placeId: 'studio', bucket: 'a.b' }),
    transferRow({ id: 'two', placeId: 'studio', bucket: 'plain' }),
  ]
  const handlers = createNetworkRequests({
    network: { ...(await open()), inspect },
    engine: { row: (wanted) => rows.find(({ id }) => id === wanted) ?? null },
    places: { require: (id) => ({ ...place, id }) as Place },
    chooseCertificate: () => Promise.resolve(null),
  })
  const subjects = [
    ...rows.map(({ id }) => ({ kind: 'transfer', id }) as const),
    { kind: 'place', id: 'studio' } as const,
  ]
  await Promise.allSettled(subjects.map(async (subject) => handlers['certificates:inspect'](subject)))
  // The certificate of `*.s3.example` fits no `a.b.s3.example`: such a bucket goes in the path.
  expect(origins).toEqual(['https://s3.example', 'https://plain.s3.example', 'https://s3.example'])
})

it('gives the same route until something changes, and another one at once when it does', async () => {
  const network = await open(memoryValues(), 'PROXY one:80')
  const route = await network.routeTo('https://store.example')
  expect(network.routeTo('https://store.example')).toBe(route)
  await network.setProxy({ ...MANUAL, mode: 'none', password: null })
  const next = await network.routeTo('https://store.example')
  expect([route.proxy?.host, next.proxy]).toEqual(['one', null])
  await network.distrust({ host: 'nowhere', port: 1 })
  expect(await network.routeTo('https://store.example')).not.toBe(next)
})

it('asks the system anew where a question of its gets no answer', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const answers = [new Promise<string>(() => undefined), Promise.resolve('PROXY one:8080')]
  const system = createSystemProxies(() => answers.shift() ?? Promise.resolve('DIRECT'))
  const lost = system.find('https://store.example')
  const unanswered = { code: 'NetworkError', maybeProcessed: false }
  await Promise.all([expect(lost).rejects.toMatchObject(unanswered), vi.advanceTimersByTimeAsync(60_000)])
  expect(await system.find('https://store.example')).toMatchObject({ host: 'one' })
})

it('asks the system anew on another network, where its answer about the one before is still to come', async () => {
  const told: ((answer: string) => void)[] = []
  const system = createSystemProxies(() => new Promise((resolve) => told.push(resolve)))
  void system.find('https://store.example')
  system.forget()
  const now = system.find('https://store.example')
  told[0]?.('PROXY before:3128')
  await Promise.resolve()
  told[1]?.('PROXY now:3128')
  expect(await now).toMatchObject({ host: 'now' })
  expect(await system.find('https://store.example')).toMatchObject({ host: 'now' })
})

it('asks the system once a minute, and again on another network; a proxy that is away is passed over', async () => {
  let asked = 0
  let nowMs = 0
  const system = createSystemProxies(
    () => {
      asked += 1
      return Promise.resolve('PROXY one:8080; SOCKS5 no:1; PROXY [::1]:3128; DIRECT')
    },
    () => nowMs,
  )
  const [first] = await Promise.all([system.find('https://a.example'), system.find('https://a.example')])
  expect([first, asked]).toEqual([{ host: 'one', port: 8080, credentials: null }, 1])
  system.unreachable({ host: 'one', port: 8080, credentials: null })
  expect(await system.find('https://a.example')).toMatchObject({ host: '::1', port: 3128 })
  nowMs = 61_000
  expect(await system.find('https://a.example')).toMatchObject({ host: 'one' })
  system.forget()
  await system.find('https://a.example')
  expect(asked).toBe(3)
})

const proxyAt = (host: string, port: number) => ({ host, port, credentials: null })

it.each([
  ['DIRECT', [null]],
  ['', []],
  [' ; ', []],
  ['PROXY proxy.corp:3128', [proxyAt('proxy.corp', 3128)]],
  ['proxy Proxy.Corp', [proxyAt('proxy.corp', 80)]],
  ['HTTP proxy.corp:8080; DIRECT', [proxyAt('proxy.corp', 8080), null]],
  ['PROXY [2001:db8::1]:3128', [proxyAt('2001:db8::1', 3128)]],
  ['SOCKS5 socks.corp:1080; PROXY proxy.corp:80;DIRECT', [proxyAt('proxy.corp', 80), null]],
  ['HTTPS secure.corp:443; SOCKS4 a:1; DIRECT', [null]],
])('reads the proxies of “%s”, the best first', (text, choices) => {
  expect(parseProxyList(text)).toEqual(choices)
})

it.each(['SOCKS5 socks.corp:1080', 'SOCKS a:1; HTTPS b:443', 'PROXY', 'QUIC a:1', 'nonsense'])(
  'says that it can’t use “%s” rather than go around it',
  (text) => {
    const message = expect.stringContaining(text) as string
    expect(() => parseProxyList(text)).toThrow(expect.objectContaining({ code: 'ProxyUnsupported', message }))
  },
)

it('follows the network’s script, as the system answers for each address', async () => {
  const server = await startScript([{ status: 200, headers: { etag: '"e"' }, body: 'content' }])
  const proxy = await startHttpProxy({ hosts: { 'store.invalid': new URL(server.endpoint).host } })
  const network = await openNetwork({
    values: memoryValues(),
    credentials,
    session: {
      resolveProxy: async (url) => (url.includes('store.invalid') ? `PROXY 127.0.0.1:${proxy.port}` : 'DIRECT'),
    },
  })
  const store = createUrlStore('http://store.invalid/film.mov', network)
  onTestFinished(() => store.close())
  const head = await store.headObject({ key: '', signal: new AbortController().signal })
  expect([head.sizeBytes, proxy.requests]).toEqual([7, ['http://store.invalid/film.mov']])
})

it('trusts the very certificate that was shown, for its host and port, until it is told otherwise', async () => {
  const server = https.createServer(CERTIFICATES.expired, (_request, response) => response.end())
  const origin = await listenUntilTestEnds(server, 'https')
  const values = memoryValues()
  const network = await open(values)
  const { fingerprint256 } = new X509Certificate(CERTIFICATES.expired.cert)
  const { host, port } = { host: '127.0.0.1', port: Number(new URL(origin).port) }
  await expect(network.trust({ host, port, fingerprint: fingerprint256 })).rejects.toThrow('not the certificate')
  const shown = await network.inspect(origin)
  expect(shown).toMatchObject({ host, port, canBeTrusted: true, certificate: { fingerprint: fingerprint256 } })
  const other = new X509Certificate(CERTIFICATES.good.cert).fingerprint256
  await expect(network.trust({ host, port, fingerprint: other })).rejects.toThrow('not the certificate')
  await network.trust({ host, port, fingerprint: fingerprint256 })
  const again = await open(values)
  expect((await again.routeTo(origin)).trust.pinned).toBe(fingerprint256)
  expect((await again.routeTo('https://127.0.0.1:1')).trust.pinned).toBeNull()
  await again.distrust({ host, port })
  expect((await again.routeTo(origin)).trust.pinned).toBeNull()
})

it('does not offer to trust a certificate of another name', async () => {
  const folder = await tempDir()
  const server = https.createServer(CERTIFICATES.otherHost, (_request, response) => response.end())
  const origin = await listenUntilTestEnds(server, 'https')
  const network = await open()
  await writeFile(join(folder, 'ca.der'), new X509Certificate(CERTIFICATES.otherHost.cert).raw)
  const { authorities } = await network.addAuthorities(join(folder, 'ca.der'))
  expect(authorities).toMatchObject([{ subject: 'CN=other.example', issuer: 'CN=other.example' }])
  expect(await network.inspect(origin)).toMatchObject({
    problem: { key: 'services.certificate.other-name' },
    canBeTrusted: false,
  })
  await network.removeAuthority(authorities[0]?.fingerprint ?? '')
  expect(await network.inspect(origin)).toMatchObject({ canBeTrusted: true })
  await writeFile(join(folder, 'notes.txt'), 'no certificate')
  await expect(network.addAuthorities(join(folder, 'notes.txt'))).rejects.toThrow('holds no certificate')
})
