import type { AuthInfo, ProxyConfig } from 'electron'
import type { ProxySettings } from '../../../shared/ipc/network-requests.ts'
import { proxyName, type Network, type Proxy } from '../../stores/network/network.ts'
import { STORE_ERROR, StoreError } from '../../stores/port/store-error.ts'
import { UpdateError } from './update-error.ts'

/** Electron's callback. Called without arguments it gives no sign-in, which electron-updater's types leave out. */
export type SignInCallback = (user?: string, password?: string) => void

/** Signs in to the proxy in the settings, for one request. */
export interface ProxySignIn {
  /** For `login` of Electron's requests. Answers only that proxy, and once: if it refused, it would do so again. */
  readonly answer: (asking: AuthInfo, callback: SignInCallback) => void
  /** Whether a proxy wanted a sign-in and got none, or rejected it. */
  readonly isRefused: () => boolean
}

/**
 * How Chromium is to reach an address: the same way as transfers, because Chromium reads the list of hosts without a
 * proxy differently. The system's proxies are left to Chromium, which supports more kinds.
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
 * Opens the sign-in for the proxy on the way to an address. Throws UpdateError when it is unavailable now, so that the
 * proxy is not asked without one.
 */
export async function openProxySignIn(network: Pick<Network, 'routeTo'>, url: string): Promise<ProxySignIn> {
  try {
    const { proxy } = await network.routeTo(new URL(url).origin)
    return createProxySignIn(proxy)
  } catch (error) {
    const code = error instanceof StoreError ? error.code : null
    const words = 'Signing in to the proxy is not possible.'
    if (code === STORE_ERROR.proxyKeyringLocked) throw new UpdateError('keyring-locked', words, error)
    if (code === STORE_ERROR.proxySignIn) throw new UpdateError('proxy-sign-in', words, error)
    // Transfers can't use a proxy of this kind, but updates can, because Chromium knows the system's proxies.
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
