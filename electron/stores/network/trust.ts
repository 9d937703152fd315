import * as tls from 'node:tls'

/** Which certificates are accepted. */
export interface Trust {
  /** Returns the context for TLS connections. Throws when an authority is not a certificate. */
  readonly context: () => tls.SecureContext
  /** SHA-256 of a certificate that a person trusts for this host and port, whatever else is wrong with it. */
  readonly pinned: string | null
}

/** Trusts `authorities` (PEM) in addition to Node's own. Creates the context on first use because that takes time. */
export function createTrust(authorities: readonly string[]): Trust {
  let context: tls.SecureContext | null = null
  return { context: () => (context ??= createSecureContext(authorities)), pinned: null }
}

/** Uses Node's own settings with AES-128 first, as browsers do: it is as safe here and costs less than AES-256. */
function createSecureContext(authorities: readonly string[]): tls.SecureContext {
  const names = tls.DEFAULT_CIPHERS.split(':')
  const isCheapest = (name: string): boolean => name === 'TLS_AES_128_GCM_SHA256'
  const ciphers = [...names.filter(isCheapest), ...names.filter((name) => !isCheapest(name))].join(':')
  // When given any authorities, Node leaves its own out.
  const ca = authorities.length === 0 ? {} : { ca: [...tls.rootCertificates, ...authorities] }
  return tls.createSecureContext({ minVersion: 'TLSv1.2', ciphers, ...ca })
}

/**
 * Returns the options of a TLS connection with this trust. Node ends a connection to a server that fails the checks
 * before anything is sent. With a pinned certificate, `refusalOf` decides instead, also before anything is sent.
 */
export function trustOptions({ context, pinned }: Trust): tls.ConnectionOptions {
  return { secureContext: context(), ...(pinned === null ? {} : { rejectUnauthorized: false }) }
}

/** Returns why a connected server must not be talked to; null when it checks out or its exact certificate is pinned. */
export function refusalOf(socket: tls.TLSSocket, { pinned }: Pick<Trust, 'pinned'>): Error | null {
  if (socket.authorized) return null
  if (pinned !== null && socket.getPeerX509Certificate()?.fingerprint256 === pinned) return null
  const code = String(socket.authorizationError)
  return Object.assign(new Error(pinned === null ? code : `${code}, and the certificate is not the trusted one`), {
    code,
  })
}
