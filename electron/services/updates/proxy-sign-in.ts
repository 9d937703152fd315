import type { AuthInfo, ProxyConfig } from 'electron'
import type { ProxySettings } from '../../../shared/ipc/network-requests.ts'
import { proxyName, type Network, type Proxy } from '../../stores/network/network.ts'
import { STORE_ERROR, StoreError } from '../../stores/port/store-error.ts'
import { UpdateError } from './update-error.ts'

/** Electron's; called with nothing it gives none, which electron-updater's types leave out. */
export type SignInCallback = (user?: string, password?: string) => void

/** Signs in at the proxy of the settings, for one request. */
export interface ProxySignIn {
  /** For `login` of Electron's requests. Only that very proxy is told anything, and once: again it would say the same. */
  readonly answer: (asking: AuthInfo, callback: SignInCallback) => void
  /** A proxy wanted a sign-in and got none, or did not take it. */
  readonly isRefused: () => boolean
}

/**
 * How Chromium is to reach an address: as transfers do, which mean something else by hosts that need no proxy. Of the
 * system's proxies it knows more kinds.
 */
export async function proxyConfig(
  network: Pick<Network, 'routeTo'>,
  mode: ProxySettings['mode'],
  url: string,
): Promise<ProxyConfig> {
  if (mode === 'system') return { mode: 'system' }
  const { proxy } = await network.routeTo(new URL(url).origin)
  return proxy === null ? { mode: 'direct' } : { mode: 'fixed_servers', proxyRules: `http://${proxyName(proxy)}` }
}

/**
 * What signs in on the way to an address. Throws UpdateError where that can't be had now, so that the proxy is not asked
 * without it.
 */
export async function openProxySignIn(network: Pick<Network, 'routeTo'>, url: string): Promise<ProxySignIn> {
  try {
    const { proxy } = await network.routeTo(new URL(url).origin)
    return createProxySignIn(proxy)
  } catch (error) {
    const code = error instanceof StoreError ? error.code : null
    const words = 'The proxy can’t be signed in to.'
    if (code === STORE_ERROR.proxyKeyringLocked) throw new UpdateError('keyring-locked', words, error)
    if (code === STORE_ERROR.proxySignIn) throw new UpdateError('proxy-sign-in', words, error)
    // A kind of proxy that transfers can't use, but updates can: the system knows its way.
    return createProxySignIn(null)
  }
}

export function createProxySignIn(proxy: Pick<Proxy, 'host' | 'port' | 'credentials'> | null): ProxySignIn {
  let rest = proxy?.credentials ?? null
  let isRefused = false
  return {
    answer: ({ isProxy, host, port }, callback) => {
      const isMeant = isProxy && host.toLowerCase() === proxy?.host.toLowerCase() && port === proxy.port
      if (!isMeant || rest === null) {
        isRefused ||= isProxy
        return callback()
      }
      const { user, password } = rest
      rest = null
      callback(user, password)
    },
    isRefused: () => isRefused,
  }
}
