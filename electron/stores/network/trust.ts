import * as tls from 'node:tls'

/** Whose certificates are taken. */
export interface Trust {
  /** What TLS connections are made with. Throws when an authority is no certificate. */
  readonly context: () => tls.SecureContext
  /** SHA-256 of a certificate that a person trusts for this host and port, whatever else is wrong with it. */
  readonly pinned: string | null
}

/** Trusts `authorities`, PEM, beside those that Node brings along. Contexts take time and are made when first used. */
export function createTrust(authorities: readonly string[]): Trust {
  let context: tls.SecureContext | null = null
  return { context: () => (context ??= createSecureContext(authorities)), pinned: null }
}

/** Node's own settings, but AES-128 comes first, as in browsers: it is as safe here and costs less than AES-256. */
function createSecureContext(authorities: readonly string[]): tls.SecureContext {
  const names = tls.DEFAULT_CIPHERS.split(':')
  const isCheapest = (name: string): boolean => name === 'TLS_AES_128_GCM_SHA256'
  const ciphers = [...names.filter(isCheapest), ...names.filter((name) => !isCheapest(name))].join(':')
  // Given any, Node leaves its own out.
  const ca = authorities.length === 0 ? {} : { ca: [...tls.rootCertificates, ...authorities] }
  return tls.createSecureContext({ minVersion: 'TLSv1.2', ciphers, ...ca })
}

/**
 * Options of a connection that trusts so. Node itself ends one to a server that does not check out before anything is
 * sent, unless a certificate is pinned for it: then `refusalOf` decides, also before anything is sent.
 */
export function trustOptions({ context, pinned }: Trust): tls.ConnectionOptions {
  return { secureContext: context(), ...(pinned === null ? {} : { rejectUnauthorized: false }) }
}

/** Why a server that is connected now must not be talked to; null: it checks out, or its very certificate is pinned. */
export function refusalOf(socket: tls.TLSSocket, { pinned }: Pick<Trust, 'pinned'>): Error | null {
  if (socket.authorized) return null
  if (pinned !== null && socket.getPeerX509Certificate()?.fingerprint256 === pinned) return null
  const code = String(socket.authorizationError)
  return Object.assign(new Error(pinned === null ? code : `${code}, and it is not the certificate that was trusted`), {
    code,
  })
}
