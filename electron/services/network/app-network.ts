import type { Session } from 'electron'
import {
  isSameAccount,
  type InspectedServer,
  type NetworkState,
  type NewProxy,
  type TrustedServer,
} from '../../../shared/ipc/network-requests.ts'
import type { CredentialStore } from '../persistence/credential-store.ts'
import { RequestError } from '../requests/request-error.ts'
import type { NamedValues } from '../persistence/named-values.ts'
import { authoritiesOfFile, inspectServer } from './certificates.ts'
import { createSystemProxies } from './system-proxies.ts'
import { createRoutes, type RouteSettings, type ServerAddress } from './routes.ts'
import { loadNetworkValues, type NetworkValues } from './network-settings.ts'
import type { Network } from '../../stores/network/network.ts'
import { STORE_ERROR, StoreError } from '../../stores/port/store-error.ts'
import { message } from '../../../shared/language/message.ts'

/** How the app's connections leave this computer, and the settings that decide it. */
export interface AppNetwork extends Network {
  state(): NetworkState
  setProxy(proxy: NewProxy): Promise<NetworkState>
  /** Trusts the certificates of a file as authorities. Throws RequestError when the file holds none. */
  addAuthorities(path: string): Promise<NetworkState>
  removeAuthority(fingerprint: string): Promise<NetworkState>
  /** Fetches a server's certificate. Throws RequestError when the server shows none. */
  inspect(origin: string): Promise<InspectedServer>
  /** Trusts the certificate that was shown for this host and port. Throws RequestError when another one was shown. */
  trust(server: ServerAddress & { readonly fingerprint: string }): Promise<NetworkState>
  distrust(server: ServerAddress): Promise<NetworkState>
  /** The computer is on another network: asks the system for its proxies again. */
  refresh(): void
  /** The keyring was unlocked, so the proxy's password can be opened. */
  unlock(): void
}

export interface NetworkDeps {
  readonly values: NamedValues
  readonly credentials: CredentialStore
  /** Knows the system's proxies for an address, or those that the network's script (PAC) names. */
  readonly session: Pick<Session, 'resolveProxy'>
}

type Authorities = NetworkValues['authorities']
type Changes = (kept: NetworkValues) => Partial<NetworkValues>

/** Opens the network with the settings that were kept. */
export async function openNetwork({ values, credentials, session }: NetworkDeps): Promise<AppNetwork> {
  const store = await loadNetworkValues(values)
  let password = openPassword()
  let settings = settingsOf(store.get(), password, credentials)
  const system = createSystemProxies((url) => session.resolveProxy(url))
  const routes = createRoutes(() => settings, system)
  const shown = new Map<string, InspectedServer>()

  function openPassword(): string | null {
    const sealed = store.get().sealedPassword
    return sealed === null ? null : credentials.open(sealed)
  }

  function state(): NetworkState {
    const { proxy, authorities, servers, sealedPassword } = store.get()
    const hasPassword = password !== null || sealedPassword !== null
    return { proxy, hasPassword, authorities: authorities.map(({ certificate }) => certificate), servers }
  }

  async function change(changes: Changes, known?: string | null): Promise<NetworkState> {
    await store.update(changes)
    if (known !== undefined) password = known
    settings = settingsOf(store.get(), password, credentials)
    routes.forget()
    return state()
  }

  return {
    routeTo: (origin) => routes.routeTo(origin),
    unreachable: (proxy) => system.unreachable(proxy),
    refresh: () => system.forget(),
    unlock: () => {
      password ??= openPassword()
      settings = settingsOf(store.get(), password, credentials)
      routes.forget()
    },
    state,
    setProxy: ({ password: given, ...proxy }) => {
      const kept = store.get()
      const isKnown = isSameAccount(proxy, kept.proxy)
      const next = proxy.user === '' ? null : (given ?? (isKnown ? password : null))
      const sealed = next === null ? null : credentials.seal(next)
      const sealedPassword = sealed ?? (isKnown ? kept.sealedPassword : null)
      return change(() => ({ proxy, sealedPassword }), next)
    },
    addAuthorities: async (path) => {
      const found = await authoritiesOfFile(path)
      return change(({ authorities }) => ({ authorities: withNew(authorities, found) }))
    },
    removeAuthority: (fingerprint) =>
      change(({ authorities }) => ({
        authorities: authorities.filter(({ certificate }) => certificate.fingerprint !== fingerprint),
      })),
    inspect: async (origin) => {
      const server = await inspectServer(origin, await routes.routeTo(origin))
      shown.set(nameOf(server), server)
      return server
    },
    trust: (server) => {
      const seen = shown.get(nameOf(server))
      if (seen?.canBeTrusted !== true || seen.certificate.fingerprint !== server.fingerprint) {
        return Promise.reject(new RequestError(message('services.certificate.another')))
      }
      const { host, port, certificate } = seen
      return change(({ servers }) => ({ servers: [...without(servers, server), { host, port, certificate }] }))
    },
    distrust: (server) => change(({ servers }) => ({ servers: without(servers, server) })),
  }
}

function withNew(kept: Authorities, found: Authorities): Authorities {
  const old = new Set(kept.map(({ certificate }) => certificate.fingerprint))
  return [...kept, ...found.filter(({ certificate }) => !old.has(certificate.fingerprint))]
}

function settingsOf(values: NetworkValues, known: string | null, credentials: CredentialStore): RouteSettings {
  const { proxy, authorities, servers, sealedPassword } = values
  const password = known ?? (sealedPassword === null ? null : passwordAway(credentials))
  return { proxy, password, authorities: authorities.map(({ pem }) => pem), servers }
}

/** The error for a sealed password that can't be opened. */
function passwordAway(credentials: CredentialStore): StoreError {
  const code = credentials.state() === 'ready' ? STORE_ERROR.proxySignIn : STORE_ERROR.proxyKeyringLocked
  return new StoreError(code, 'The proxy password can’t be decrypted now', { maybeProcessed: false })
}

function without(servers: NetworkValues['servers'], { host, port }: ServerAddress): NetworkValues['servers'] {
  return servers.filter((server) => server.host !== host || server.port !== port)
}

function nameOf({ host, port }: ServerAddress | TrustedServer): string {
  return `${host}:${port}`
}
