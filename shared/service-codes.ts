// Codes for why a request failed: our own, and services' codes grouped by meaning.

/** Our own codes, for failures without one from the service. */
export const STORE_ERROR = {
  /** A failed name look-up or connect, a reset, an early end of a body, or a watchdog. */
  network: 'NetworkError',
  /** The certificate chain or host name did not check out. */
  tls: 'CertificateError',
  /** The server speaks no TLS, or none that is safe. */
  noTls: 'NoSecureConnection',
  /** The proxy can't be reached, or can't reach the service. Nothing was sent to the service. */
  proxy: 'ProxyError',
  /** The proxy wants a name and password, or others than it was given. */
  proxySignIn: 'ProxySignInNeeded',
  /** The proxy does not allow connections to the service. */
  proxyRefused: 'ProxyRefused',
  /** 404, 405 or 501 without a known code: the service lacks this operation (docs/dialect.md, Two rules). */
  notImplemented: 'OperationNotAvailable',
  /** The network's settings name a kind of proxy, or the proxy a kind of sign-in, that this client does not speak. */
  proxyUnsupported: 'ProxyUnsupported',
  /** The place, and with it the keys and the address, was removed. */
  placeRemoved: 'PlaceRemoved',
  /** The source of the keys, such as a program, has not supplied them yet. Nothing was sent. */
  keysAwaited: 'KeysAwaited',
  /** The key of the place, or the sign-in of the link, is in a keyring that can't be opened now. */
  keyringLocked: 'KeyringLocked',
  /** The password of the proxy is in a keyring that can't be opened now. */
  proxyKeyringLocked: 'ProxyKeyringLocked',
  /** The link was valid for a limited time, which is over. */
  linkExpired: 'LinkExpired',
  /** A 2xx answer whose body or headers are not what the operation promises. */
  badAnswer: 'BadAnswer',
  /**
   * A web page came where neither a service nor a file would send one: the network wants a sign-in before it lets
   * anything out.
   */
  networkSignIn: 'NetworkSignIn',
  /** The server itself sent a web page instead of a link's file. */
  webPage: 'WebPage',
  /** Something in front of the service, such as a gateway while it restarts, says that nothing is there. */
  inFront: 'AnsweredInFront',
  /** A redirect that may not be followed. */
  redirect: 'RedirectRefused',
  /** An error status whose body names no code; `httpStatus` tells which. */
  unnamed: 'UnnamedError',
} as const

/** The keys have expired. */
export const EXPIRED_CODES: ReadonlySet<string> = new Set(['ExpiredToken', 'TokenRefreshRequired', 'InvalidToken'])

/** The request was signed for another region. */
export const REGION_CODES: ReadonlySet<string> = new Set(['AuthorizationHeaderMalformed', 'InvalidRegion'])

/** The body came without its Content-MD5, which Amazon wants if a bucket locks objects by default. */
export const MD5_WANTED_CODE = 'MissingContentMD5'

/** The object is archived and must be restored before it can be read. The status is 403, as for a denial. */
export const ARCHIVED_CODE = 'InvalidObjectState'

/** The disks of the service are full. The first is WebDAV's name of status 507 (RFC 4918, 11.5). */
export const FULL_CODES: ReadonlySet<string> = new Set(['InsufficientStorage', 'XMinioStorageFull'])

/** The quota is used up. Ceph sends these with the status of a denial, but another key would not help. */
export const QUOTA_CODES: ReadonlySet<string> = new Set([
  'QuotaExceeded',
  'XMinioAdminBucketQuotaExceeded',
  ...FULL_CODES,
])
