import { t } from '../../shared/language/translate.ts'
import { DEFAULT_PROXY, type NetworkState, type NewProxy, type ProxyMode } from '../../shared/ipc/network-requests.ts'

/** The proxy as typed. Its password is only in its field. */
export interface ProxyDraft {
  readonly mode: ProxyMode
  readonly host: string
  readonly port: string
  readonly user: string
  readonly exempt: string
}

export interface ParsedProxy {
  /** Null while something typed can't be used. */
  readonly proxy: NewProxy | null
  readonly errors: Partial<Record<'host' | 'port' | 'user', string>>
}

const MOST_PORT = 65_535

export function proxyDraftOf({ proxy }: Pick<NetworkState, 'proxy'>): ProxyDraft {
  return { ...proxy, port: String(proxy.port) }
}

/** What a reset leaves in the fields. */
export const DEFAULT_PROXY_DRAFT: ProxyDraft = proxyDraftOf({ proxy: DEFAULT_PROXY })

/** Whether a reset would change nothing. Pure. */
export function isDefaultProxy(draft: ProxyDraft): boolean {
  return (['mode', 'host', 'port', 'user', 'exempt'] as const).every((key) => draft[key] === DEFAULT_PROXY_DRAFT[key])
}

/**
 * Reads what was typed, splitting `host:port` if both are in the host's field. Ignores fields that don't apply now. An
 * empty password keeps the present one. Pure.
 */
export function parseProxyDraft(draft: ProxyDraft, password = ''): ParsedProxy {
  const { mode, exempt, user } = draft
  const [, host = '', ownPort = draft.port] = /^(?:https?:\/\/)?(.*?)(?::(\d+))?\/?$/i.exec(draft.host.trim()) ?? []
  const port = Number(ownPort.trim())
  const isPort = /^\d+$/.test(ownPort.trim()) && port >= 1 && port <= MOST_PORT
  const errors = {
    ...(host === '' || /^[A-Za-z0-9._-]+$/.test(host) ? {} : { host: t('settings.proxy.host-problem') }),
    ...(isPort ? {} : { port: t('settings.proxy.port-problem') }),
    ...(user.includes(':') ? { user: t('settings.proxy.user-problem') } : {}),
  }
  const isManual = mode === 'manual'
  if (isManual && (host === '' || Object.keys(errors).length > 0)) return { proxy: null, errors }
  const isUsable = Object.keys(errors).length === 0
  const typed = isUsable ? { host, port, user } : { host: '', port: 8080, user: '' }
  return { proxy: { mode, exempt, ...typed, password: password === '' ? null : password }, errors: {} }
}
