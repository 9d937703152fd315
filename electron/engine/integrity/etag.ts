import { createHash } from 'node:crypto'

/** ETags are compared without quotes, weakness and case (docs/dialect.md, Semantics). */
export function isSameEtag(a: string, b: string): boolean {
  return plainEtag(a) === plainEtag(b)
}

/** ETag of an object made of parts with these hex MD5s: MD5 of the binary MD5s, `-`, number of parts (docs/dialect.md). */
export function multipartEtag(partMd5s: readonly string[]): string {
  return `${digestOfParts(partMd5s)}-${String(partMd5s.length)}`
}

export function plainEtag(etag: string): string {
  return etag.replace(/^W\//, '').replaceAll('"', '').toLowerCase()
}

const PLAIN_MD5 = /^[0-9a-f]{32}$/i

/** The MD5 that an ETag is, or looks like, in lower-case hex; null when it can't be one. */
export function md5OfEtag(etag: string | null): string | null {
  return etag !== null && PLAIN_MD5.test(etag) ? etag.toLowerCase() : null
}

/** Hex MD5 of the parts' binary MD5s (docs/dialect.md, Semantics). */
export function digestOfParts(md5s: readonly string[]): string {
  const digest = createHash('md5')
  for (const md5 of md5s) digest.update(md5, 'hex')
  return digest.digest('hex')
}
