import { session, type ProxyConfig, type Session } from 'electron'
import type { ProxySettings } from '../../shared/ipc/network-requests.ts'

/**
 * The session that updates are asked for and downloaded in, through the proxy of the settings. No page is in it, and it
 * keeps nothing. electron-updater uses one of this name.
 */
export function updateSession(proxy: () => ProxySettings): Pick<Session, 'fetch'> {
  const ofUpdates = session.fromPartition('electron-updater', { cache: false })
  return {
    fetch: async (input, init) => {
      await ofUpdates.setProxy(configOf(proxy()))
      return ofUpdates.fetch(input, init)
    },
  }
}

function configOf({ mode, host, port, exempt }: ProxySettings): ProxyConfig {
  if (mode !== 'manual' || host === '') return { mode: mode === 'none' ? 'direct' : 'system' }
  return { mode: 'fixed_servers', proxyRules: `http://${host}:${String(port)}`, proxyBypassRules: exempt }
}
