// Why a service refused a request, as codes: ours, and those of services that mean the same.

/** Codes of our own, for failures that carry none of the service's. */
export const STORE_ERROR = {
  /** Name look-up, connect, reset, early end of a body, watchdog. */
  network: 'NetworkError',
  /** The certificate chain or host name did not check out. */
  tls: 'CertificateError',
  /** What answers there speaks no TLS, or none that is safe. */
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
  /** The place that keys and address are of is no more. */
  placeRemoved: 'PlaceRemoved',
  /** What gives the keys, such as a program, has not given them yet. Nothing was sent. */
  keysAwaited: 'KeysAwaited',
  /** The key of the place, or the sign-in of the link, is in a keyring that can't be opened now. */
  keyringLocked: 'KeyringLocked',
  /** The password of the proxy is in a keyring that can't be opened now. */
  proxyKeyringLocked: 'ProxyKeyringLocked',
  /** A link that was good for a time. */
  linkExpired: 'LinkExpired',
  /** A 2xx whose body or headers are not what the operation promises. */
  badAnswer: 'BadAnswer',
  /**
   * A page for people came where no service or file answers so: the network wants a sign-in before it lets anything
   * out.
   */
  networkSignIn: 'NetworkSignIn',
  /** A page for people instead of a link's file, from the server itself. */
  webPage: 'WebPage',
  /** A redirect that may not be followed. */
  redirect: 'RedirectRefused',
  /** An error status whose body names no code; `httpStatus` tells which. */
  unnamed: 'UnnamedError',
} as const

/** The keys were good for a time. */
export const EXPIRED_CODES: ReadonlySet<string> = new Set(['ExpiredToken', 'TokenRefreshRequired', 'InvalidToken'])

/** The request was signed for another region. */
export const REGION_CODES: ReadonlySet<string> = new Set(['AuthorizationHeaderMalformed', 'InvalidRegion'])

/** The body came without its Content-MD5, which Amazon wants where a bucket locks objects by default. */
export const MD5_WANTED_CODE = 'MissingContentMD5'

/** The object is in an archive, and can't be had before it is restored there. Its status is that of a denial (403). */
export const ARCHIVED_CODE = 'InvalidObjectState'

/** The disks of the service are full. The first one is WebDAV's name of status 507 (RFC 4918, 11.5). */
export const FULL_CODES: ReadonlySet<string> = new Set(['InsufficientStorage', 'XMinioStorageFull'])

/** What may be stored is used up; also with the status of a denial (Ceph), which no other key would change. */
export const QUOTA_CODES: ReadonlySet<string> = new Set([
  'QuotaExceeded',
  'XMinioAdminBucketQuotaExceeded',
  ...FULL_CODES,
])
