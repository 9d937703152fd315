import { expect, it } from 'vitest'
import { createProxySignIn, openProxySignIn, proxyConfig } from '../../../electron/services/updates/proxy-sign-in.ts'
import { STORE_ERROR, StoreError } from '../../../electron/stores/port/store-error.ts'

const PROXY = { host: 'Proxy.corp', port: 3128, credentials: { user: 'ann', password: 'secret' } }
const ASKING = { isProxy: true, scheme: 'basic', host: 'proxy.corp', port: 3128, realm: 'office' }

/** What is answered to those that ask, one after another. */
function answers(proxy: typeof PROXY | null, asking: readonly (typeof ASKING)[]) {
  const signIn = createProxySignIn(proxy)
  const given: (readonly (string | undefined)[])[] = []
  for (const each of asking) signIn.answer(each, (...credentials) => given.push(credentials))
  return { given, isRefused: signIn.isRefused() }
}

it('tells the proxy its name and password, and once', () => {
  expect(answers(PROXY, [ASKING])).toEqual({ given: [['ann', 'secret']], isRefused: false })
  expect(answers(PROXY, [ASKING, ASKING])).toEqual({ given: [['ann', 'secret'], []], isRefused: true })
})

it.each([
  ['another host', { ...ASKING, host: 'elsewhere' }],
  ['another port', { ...ASKING, port: 80 }],
])('tells %s nothing', (_, asking) => {
  expect(answers(PROXY, [asking])).toEqual({ given: [[]], isRefused: true })
})

it('gives a server no sign-in, and refuses a proxy for which there is none', () => {
  expect(answers(PROXY, [{ ...ASKING, isProxy: false }])).toEqual({ given: [[]], isRefused: false })
  expect(answers(null, [ASKING])).toEqual({ given: [[]], isRefused: true })
})

it.each([
  [STORE_ERROR.proxyKeyringLocked, 'keyring-locked'],
  [STORE_ERROR.proxySignIn, 'proxy-sign-in'],
] as const)('asks nothing without a password that can’t be had: %s', async (code, problem) => {
  const routeTo = () => Promise.reject(new StoreError(code, '', { maybeProcessed: false }))
  await expect(openProxySignIn({ routeTo }, 'https://updates.example/')).rejects.toMatchObject({ problem })
})

it('goes the way that transfers go to the same server', async () => {
  const network = (proxy: typeof PROXY | null) => ({
    routeTo: () => ({ proxy, trust: { context: null, pinned: null } }) as never,
  })
  const url = 'https://updates.example.com/'
  expect(await proxyConfig(network(null), 'manual', url)).toEqual({ mode: 'direct' })
  const fixed = (proxyRules: string) => ({ mode: 'fixed_servers', proxyRules })
  expect(await proxyConfig(network(PROXY), 'manual', url)).toEqual(fixed('http://Proxy.corp:3128'))
  expect(await proxyConfig(network({ ...PROXY, host: '::1' }), 'manual', url)).toEqual(fixed('http://[::1]:3128'))
  expect(await proxyConfig(network(null), 'none', url)).toEqual({ mode: 'direct' })
  expect(await proxyConfig(network(PROXY), 'system', url)).toEqual({ mode: 'system' })
})

it('leaves kinds of proxies that only the system knows to it', async () => {
  const routeTo = () => Promise.reject(new StoreError(STORE_ERROR.proxyUnsupported, '', { maybeProcessed: false }))
  expect((await openProxySignIn({ routeTo }, 'https://updates.example/')).isRefused()).toBe(false)
})
