import { Buffer } from 'node:buffer'
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { MAX_CLOCK_SKEW_MS } from '../../../shared/limits.ts'
import { canonicalString, type SignedRequest } from '../../../shared/place/storage-signature.ts'
import { parseHttpDate } from './http-date.ts'
import type { RequestTarget } from './request-target.ts'
import { ServiceError } from './service-error.ts'

/** The only key of the service; it may do everything. */
export interface DemoStoreCredentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

/** `<SCHEME> <ACCESS_KEY_ID>:<SIGNATURE>`; the scheme word is the client's choice (docs/dialect.md, Signature). */
const AUTHORIZATION = /^[\w!#$%&'*+.^`|~-]+ +(?<accessKeyId>[^\s:]+):(?<signature>[^\s:]+)$/

/**
 * Returns if the holder of the secret has signed the request, with either signature method. Throws AccessDenied,
 * RequestTimeTooSkewed or SignatureDoesNotMatch (docs/dialect.md, Signature). The link of a read may carry the
 * signature.
 */
export function authorize(
  request: IncomingMessage,
  target: RequestTarget,
  credentials: DemoStoreCredentials,
  nowMs: number,
): void {
  const { headers, method = '' } = request
  if (headers.authorization === undefined && /^(GET|HEAD)$/.test(method) && target.query.has('Signature')) {
    return authorizeLink(target, credentials, nowMs)
  }
  const authorization = AUTHORIZATION.exec(headers.authorization ?? '')?.groups
  if (authorization === undefined)
    throw new ServiceError('AccessDenied', 'The Authorization header is missing or malformed.')
  if (authorization['accessKeyId'] !== credentials.accessKeyId) {
    throw new ServiceError('AccessDenied', 'The access key is unknown.')
  }
  const date = headers.date ?? ''
  const dateMs = parseHttpDate(date, nowMs)
  if (dateMs === null) throw new ServiceError('AccessDenied', 'The Date header is missing or is not an HTTP date.')
  if (Math.abs(nowMs - dateMs) > MAX_CLOCK_SKEW_MS) {
    throw new ServiceError('RequestTimeTooSkewed', 'The Date header is more than 15 minutes off.')
  }
  const subject = {
    method,
    contentMd5: single(headers['content-md5']),
    contentType: headers['content-type'],
    date,
    storageHeaders: Object.entries(headers).map(([name, value]) => [name, single(value)] as const),
    bucket: target.bucket,
    key: target.key,
    subresources: target.query,
  }
  requireSignature(authorization['signature'] ?? '', subject, credentials)
}

/** Checks an expiring link: its query has the access key, the expiry in seconds since the epoch, and the signature. */
function authorizeLink({ bucket, key, query }: RequestTarget, credentials: DemoStoreCredentials, nowMs: number): void {
  const expires = query.get('Expires') ?? ''
  if (query.get('AccessKeyId') !== credentials.accessKeyId || !/^\d{1,12}$/.test(expires)) {
    throw new ServiceError('AccessDenied', 'The link is malformed, or its access key is unknown.')
  }
  // Whoever may GET an object may also request its head.
  const subject = { method: 'GET', date: expires, bucket, key, subresources: query }
  requireSignature(query.get('Signature') ?? '', subject, credentials)
  if (nowMs > Number(expires) * 1000) throw new ServiceError('AccessDenied', 'The link has expired.')
}

function requireSignature(given: string, subject: SignedRequest, { secretAccessKey }: DemoStoreCredentials): void {
  const texts = [canonicalString(subject), canonicalString(subject, '=')]
  const matches = ['sha1', 'sha256'].flatMap((hash) =>
    texts.map((text) => equalInConstantTime(given, createHmac(hash, secretAccessKey).update(text).digest('base64'))),
  )
  if (!matches.includes(true))
    throw new ServiceError('SignatureDoesNotMatch', 'The signature does not match the request.')
}

function equalInConstantTime(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)]
  return one.length === other.length && timingSafeEqual(one, other)
}

function single(value: string | string[] | undefined): string {
  return Array.isArray(value) ? value.join(',') : (value ?? '')
}
