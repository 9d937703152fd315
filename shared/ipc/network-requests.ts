import type { Message } from '../language/message.ts'
import type { PlaceId } from '../place/place.ts'
import type { TransferId } from '../transfer/transfer.ts'

/** How the app finds the proxy of a connection. */
export type ProxyMode = 'system' | 'none' | 'manual'

export interface ProxySettings {
  readonly mode: ProxyMode
  /** Of the manual proxy. Empty while there is none. */
  readonly host: string
  readonly port: number
  /** Empty: no sign-in. The password is not part of it: it never leaves the main process. */
  readonly user: string
  /** What the manual proxy is not used for, as in NO_PROXY. */
  readonly exempt: string
}

export const DEFAULT_PROXY: ProxySettings = {
  mode: 'system',
  host: '',
  port: 8080,
  user: '',
  exempt: 'localhost, 127.0.0.1, ::1',
}

type ProxyAccount = Pick<ProxySettings, 'host' | 'port' | 'user'>

/** Whether a password of one is that of the other: it goes only to the proxy, and with the user, that it was entered for. Pure. */
export function isSameAccount(one: ProxyAccount, other: ProxyAccount): boolean {
  return one.host === other.host && one.port === other.port && one.user === other.user && one.user !== ''
}

/** What is told of a certificate. */
export interface CertificateFacts {
  readonly subject: string
  readonly issuer: string
  /** SHA-256, pairs of hexadecimal digits with colons between them. */
  readonly fingerprint: string
  /** As the certificate has it, `Nov 21 07:57:32 2026 GMT`. */
  readonly validFrom: string
  readonly validTo: string
}

/** A server whose very certificate is trusted, for this host and port alone. */
export interface TrustedServer {
  readonly host: string
  readonly port: number
  readonly certificate: CertificateFacts
}

/** What a server shows who it is with. */
export interface InspectedServer extends TrustedServer {
  /** What is wrong with it, a sentence; null: nothing is. */
  readonly problem: Message | null
  /** Only a certificate whose issuer is not trusted, or that has expired, may be trusted by itself. */
  readonly canBeTrusted: boolean
}

/** Everything of the network that can be set. */
export interface NetworkState {
  readonly proxy: ProxySettings
  readonly hasPassword: boolean
  /** Certificates that were added: what they vouch for is trusted. */
  readonly authorities: readonly CertificateFacts[]
  readonly servers: readonly TrustedServer[]
}

/** `password`: null leaves the one there is, as long as it is for the same account. */
export type NewProxy = ProxySettings & { readonly password: string | null }

/** Whose certificate is to be shown. */
export type CertificateSubject =
  | { readonly kind: 'transfer'; readonly id: TransferId }
  | { readonly kind: 'place'; readonly id: PlaceId }
  | { readonly kind: 'origin'; readonly origin: string }

type Request<Ask, Answer> = { request: Ask; response: Answer }

/** Requests about the network. Those that change it answer with all of it. */
export interface NetworkRequests {
  'network:get': Request<null, NetworkState>
  'network:set-proxy': Request<NewProxy, NetworkState>
  /** Asks for a file first. */
  'certificates:add': Request<null, NetworkState>
  'certificates:remove': Request<{ readonly fingerprint: string }, NetworkState>
  /** Looks at the certificate of a server, which is told nothing. */
  'certificates:inspect': Request<CertificateSubject, InspectedServer>
  /** Only of a certificate that was inspected. */
  'certificates:trust': Request<
    { readonly host: string; readonly port: number; readonly fingerprint: string },
    NetworkState
  >
  'certificates:distrust': Request<{ readonly host: string; readonly port: number }, NetworkState>
}

export const NETWORK_REQUESTS = {
  'network:get': true,
  'network:set-proxy': true,
  'certificates:add': true,
  'certificates:remove': true,
  'certificates:inspect': true,
  'certificates:trust': true,
  'certificates:distrust': true,
} satisfies Record<keyof NetworkRequests, true>
