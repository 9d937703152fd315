import type { Message } from '../language/message.ts'
import type { PlaceId } from '../place/place.ts'
import type { TransferId } from '../transfer/transfer.ts'

/** How the app finds the proxy of a connection. */
export type ProxyMode = 'system' | 'none' | 'manual'

export interface ProxySettings {
  readonly mode: ProxyMode
  /** The host of the manual proxy. Empty while there is none. */
  readonly host: string
  readonly port: number
  /** Empty: no sign-in. The password is not part of the settings: it never leaves the main process. */
  readonly user: string
  /** Hosts for which the manual proxy is not used, in the form of NO_PROXY. */
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

/** Whether both share a password: it goes only to the proxy, and with the user, that it was entered for. Pure. */
export function isSameAccount(one: ProxyAccount, other: ProxyAccount): boolean {
  return one.host === other.host && one.port === other.port && one.user === other.user && one.user !== ''
}

/** The facts shown about a certificate. */
export interface CertificateFacts {
  readonly subject: string
  readonly issuer: string
  /** SHA-256 as pairs of hexadecimal digits, separated by colons. */
  readonly fingerprint: string
  /** As in the certificate: `Nov 21 07:57:32 2026 GMT`. */
  readonly validFrom: string
  readonly validTo: string
}

/** A server trusted by this one certificate, for this host and port only. */
export interface TrustedServer {
  readonly host: string
  readonly port: number
  readonly certificate: CertificateFacts
}

/** The certificate that a server identifies itself with. */
export interface InspectedServer extends TrustedServer {
  /** A sentence that says what is wrong with the certificate; null: nothing is. */
  readonly problem: Message | null
  /** Only a certificate that has expired, or whose issuer is not trusted, may be trusted by itself. */
  readonly canBeTrusted: boolean
}

/** All settings of the network. */
export interface NetworkState {
  readonly proxy: ProxySettings
  readonly hasPassword: boolean
  /** Added certificates, which are trusted as authorities. */
  readonly authorities: readonly CertificateFacts[]
  readonly servers: readonly TrustedServer[]
}

/** `password`: null keeps the present one, as long as it is for the same account. */
export type NewProxy = ProxySettings & { readonly password: string | null }

/** The transfer, place or server whose certificate is to be shown. */
export type CertificateSubject =
  | { readonly kind: 'transfer'; readonly id: TransferId }
  | { readonly kind: 'place'; readonly id: PlaceId }
  | { readonly kind: 'origin'; readonly origin: string }

type Request<Ask, Answer> = { request: Ask; response: Answer }

/** Requests about the network's settings. Those that change them return all of them. */
export interface NetworkRequests {
  'network:get': Request<null, NetworkState>
  'network:set-proxy': Request<NewProxy, NetworkState>
  /** Lets the person choose a file first. */
  'certificates:add': Request<null, NetworkState>
  'certificates:remove': Request<{ readonly fingerprint: string }, NetworkState>
  /** Fetches a server's certificate without sending a request. */
  'certificates:inspect': Request<CertificateSubject, InspectedServer>
  /** Works only for a certificate that was inspected. */
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
