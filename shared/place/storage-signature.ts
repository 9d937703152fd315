/** What the signature of the storage dialect covers (docs/dialect.md, Signature). */
export interface SignedRequest {
  readonly method: string
  /** Empty or left out when the request has no such header. */
  readonly contentMd5?: string | undefined
  readonly contentType?: string | undefined
  /** The `Date` header as sent, or for a link its expiry in seconds since the epoch. */
  readonly date: string
  /** Headers of the request; only the `x-storage-*` ones count. */
  readonly storageHeaders?: Iterable<readonly [name: string, value: string]>
  /** Empty for requests to the service itself. */
  readonly bucket: string
  /** The decoded key; empty for bucket operations. */
  readonly key: string
  /** Decoded query parameters; only the signed ones count. An empty value means no value. */
  readonly subresources?: Iterable<readonly [name: string, value: string]>
}

const STORAGE_HEADER_PREFIX = 'x-storage-'
const SIGNED_PARAMETERS: ReadonlySet<string> = new Set(['partNumber', 'uploadId', 'uploads'])

/**
 * The string that HMAC-SHA1 or HMAC-SHA256 signs, as UTF-8 (docs/dialect.md, Signature). `noValue` follows the name of
 * a sub-resource without a value: normally nothing, but some clients that send `name=` also sign it.
 */
export function canonicalString(request: SignedRequest, noValue: '' | '=' = ''): string {
  const headers = [...(request.storageHeaders ?? [])]
    .map(([name, value]) => [name.toLowerCase(), value.trim()] as const)
    .filter(([name]) => name.startsWith(STORAGE_HEADER_PREFIX))
    .sort(byName)
    .map(([name, value]) => `${name}:${value}\n`)
  const subresources = [...(request.subresources ?? [])]
    .filter(([name]) => SIGNED_PARAMETERS.has(name))
    .sort(byName)
    .map(([name, value]) => (value === '' ? `${name}${noValue}` : `${name}=${value}`))
  return [
    `${request.method}\n${request.contentMd5 ?? ''}\n${request.contentType ?? ''}\n${request.date}\n`,
    ...headers,
    request.bucket === '' ? '/' : `/${request.bucket}/${request.key}`,
    subresources.length === 0 ? '' : `?${subresources.join('&')}`,
  ].join('')
}

function byName(one: readonly [string, string], other: readonly [string, string]): number {
  return one[0] < other[0] ? -1 : one[0] > other[0] ? 1 : 0
}
