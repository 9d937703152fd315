import type { DigestAlgorithm } from '../core/deps.ts'
import { beginDigest } from '../hashing/running-digest.ts'

/** ETags are compared without quotes, weakness and case (docs/dialect.md, Semantics). */
export function isSameEtag(a: string, b: string): boolean {
  return plainEtag(a) === plainEtag(b)
}

/**
 * ETag of an object made of parts with these hex MD5s: MD5 of the binary MD5s, `-`, number of parts (docs/dialect.md).
 */
export function multipartEtag(partMd5s: readonly string[]): string {
  return `${digestOfDigests('md5', partMd5s)}-${String(partMd5s.length)}`
}

function plainEtag(etag: string): string {
  return etag.replace(/^W\//, '').replaceAll('"', '').toLowerCase()
}

const PLAIN_MD5 = /^[0-9a-f]{32}$/i

/** The MD5 that an ETag is, or looks like, in lower-case hex; null when it can't be one. */
export function md5OfEtag(etag: string | null): string | null {
  return etag !== null && PLAIN_MD5.test(etag) ? etag.toLowerCase() : null
}

/**
 * The digest of the digests of parts, concatenated in binary; all of them are hex (docs/dialect.md, Semantics).
 */
export function digestOfDigests(algorithm: DigestAlgorithm, digests: readonly string[]): string {
  const digest = beginDigest(algorithm)
  for (const each of digests) digest.update(Buffer.from(each, 'hex'))
  return digest.digest('hex')
}

/**
 * Codes with which a service refuses a body that doesn't match the hash sent with it: the MD5, or the SHA-256 in its
 * signature.
 */
export const DIGEST_REFUSED: ReadonlySet<string> = new Set(['InvalidDigest', 'BadDigest', 'XAmzContentSHA256Mismatch'])
