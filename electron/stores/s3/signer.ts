import { createHash, createHmac } from 'node:crypto'
import { percentEncode, type Query } from '../messages/address.ts'
import type { Credentials } from '../port/store-connection.ts'

/** SHA-256 of an empty body, hex. */
export const EMPTY_SHA256 = createHash('sha256').digest('hex')
/** Stands for the hash of a body that is not part of the signature. */
export const UNSIGNED_PAYLOAD = 'UNSIGNED-PAYLOAD'

const ALGORITHM = 'AWS4-HMAC-SHA256'
const SERVICE = 's3'

/** A request as Signature Version 4 sees it. */
export interface SignedRequest {
  readonly method: string
  /** Percent-encoded once, exactly as sent. */
  readonly path: string
  /** As returned by `canonicalQuery`, which is also how it is sent. */
  readonly query: string
  /** By lower-case name; all of them are signed, and `host` must be among them. */
  readonly headers: Readonly<Record<string, string>>
  /** Hex SHA-256 of the body, or UNSIGNED_PAYLOAD. */
  readonly payloadHash: string
}

/** Where and when a signature is valid. */
export interface SignatureScope {
  readonly credentials: Credentials
  readonly region: string
  /** Milliseconds since the epoch. */
  readonly dateMs: number
}

/** Signs requests for one service; keeps the key of the day, so a request costs two hashes. */
export interface SigV4 {
  /** Returns the headers to add: date, payload hash, session token and Authorization. */
  sign(request: SignedRequest, scope: SignatureScope): Readonly<Record<string, string>>
  /** Returns the query of a link that permits the request for `expiresSeconds`, whole seconds from 1 to a week. */
  presign(request: SignedRequest, scope: SignatureScope, expiresSeconds: number): string
}

/** Creates a signer (AWS: Signature Version 4, S3's variant: the path is encoded once and not normalized). */
export function createSigV4(): SigV4 {
  let cached: { readonly seed: string; readonly key: Buffer } = { seed: '', key: Buffer.alloc(0) }

  function keyOf(secret: string, day: string, region: string): Buffer {
    const seed = `${day} ${region} ${secret}`
    if (cached.seed !== seed) {
      const dayKey = hmac(`AWS4${secret}`, day)
      cached = { seed, key: hmac(hmac(hmac(dayKey, region), SERVICE), 'aws4_request') }
    }
    return cached.key
  }

  function signatureOf(canonical: string, date: string, { credentials, region }: SignatureScope): string {
    const day = date.slice(0, 8)
    const hash = createHash('sha256').update(canonical).digest('hex')
    const text = `${ALGORITHM}\n${date}\n${day}/${region}/${SERVICE}/aws4_request\n${hash}`
    return createHmac('sha256', keyOf(credentials.secretAccessKey, day, region))
      .update(text)
      .digest('hex')
  }

  return {
    sign(request, scope) {
      const { accessKeyId, sessionToken } = scope.credentials
      const date = formatDate(scope.dateMs)
      const added: Record<string, string> = { 'x-amz-content-sha256': request.payloadHash, 'x-amz-date': date }
      if (sessionToken !== undefined) added['x-amz-security-token'] = sessionToken
      const [canonical, names] = canonicalRequest(request, { ...request.headers, ...added })
      const signature = signatureOf(canonical, date, scope)
      const credential = `${accessKeyId}/${date.slice(0, 8)}/${scope.region}/${SERVICE}/aws4_request`
      added['authorization'] = `${ALGORITHM} Credential=${credential}, SignedHeaders=${names}, Signature=${signature}`
      return added
    },

    presign(request, scope, expiresSeconds) {
      const { accessKeyId, sessionToken } = scope.credentials
      const date = formatDate(scope.dateMs)
      const names = Object.keys(request.headers).sort().join(';')
      const signed = canonicalQuery([
        ['X-Amz-Algorithm', ALGORITHM],
        ['X-Amz-Credential', `${accessKeyId}/${date.slice(0, 8)}/${scope.region}/${SERVICE}/aws4_request`],
        ['X-Amz-Date', date],
        ['X-Amz-Expires', String(expiresSeconds)],
        ...(sessionToken === undefined ? [] : [['X-Amz-Security-Token', sessionToken] as const]),
        ['X-Amz-SignedHeaders', names],
      ])
      const query = [request.query, signed].filter((each) => each !== '').join('&')
      const [canonical] = canonicalRequest({ ...request, query: sortQuery(query) }, request.headers)
      return `${query}&X-Amz-Signature=${signatureOf(canonical, date, scope)}`
    },
  }
}

/** Returns query parameters in the order and encoding that are signed. Throws InvalidArgument for invalid Unicode. */
export function canonicalQuery(query: Query): string {
  const pairs = query.map(([name, value]) => `${percentEncode(name)}=${percentEncode(value)}`)
  return sortQuery(pairs.join('&'))
}

/** Sorts by name and then by value. Sorted as plain text, `a-b=` would come before `a=`. */
function sortQuery(query: string): string {
  const key = (pair: string) => pair.replace('=', '\0')
  return query
    .split('&')
    .sort((one, other) => (key(one) < key(other) ? -1 : 1))
    .join('&')
}

/** Returns the text that is hashed and the names of the headers that are signed. */
function canonicalRequest(
  { method, path, query, payloadHash }: SignedRequest,
  headers: Readonly<Record<string, string>>,
): readonly [text: string, names: string] {
  const sorted = Object.keys(headers).sort()
  const names = sorted.join(';')
  let lines = ''
  for (const name of sorted) lines += `${name}:${(headers[name] ?? '').trim().replace(/ {2,}/g, ' ')}\n`
  return [`${method}\n${path}\n${query}\n${lines}\n${names}\n${payloadHash}`, names]
}

/** `20130524T000000Z` */
function formatDate(ms: number): string {
  return new Date(ms).toISOString().replace(/[-:]|\.\d{3}/g, '')
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}
