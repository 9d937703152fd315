// Links that people paste, and which bucket and key they name. Pure.

import { MAX_KEY_BYTES } from '../limits.ts'
import { percentDecoded } from './percent-decoded.ts'
import { isCurlCommand, parseCurlCommand } from './curl-command.ts'
import { refused, type RefusedLink } from './link-faults.ts'

/** What a text means as a link. */
export type ParsedLink =
  /** `url` may contain a sign-in for its origin, `user:password@`. */
  | { readonly kind: 'link'; readonly url: string }
  /** An object in whichever place has the bucket. A key that ends in `/` is a folder, an empty one the whole bucket. */
  | { readonly kind: 'object'; readonly bucket: string; readonly key: string }
  | RefusedLink

/** The longest link that is accepted (UTF-16 units). */
export const MAX_LINK_CHARS = 16_384

const SCHEME = /^(https?|s3|sluice):\/\//i
const BUCKET = /^[A-Za-z0-9][A-Za-z0-9._-]{0,254}$/

/**
 * Reads a link that came from outside: `https://…`, `s3://bucket/key` with the key as it is, or `sluice://bucket/key`
 * with the key percent-encoded, or a curl command that downloads one. No link chooses a service or who signs, so none
 * can make a key sign for a stranger. Returns null when the text isn't a link at all. Pure.
 */
export function parseLink(text: string): ParsedLink | null {
  if (isCurlCommand(text)) return curlLink(text)
  const scheme = SCHEME.exec(text)?.[1]?.toLowerCase()
  if (scheme === undefined) return null
  if (text.length > MAX_LINK_CHARS) return refused('too-long')
  if (/\p{Cc}|\p{Surrogate}/u.test(text)) return refused('not-shown')
  return scheme === 'http' || scheme === 'https' ? webLink(text) : objectLink(text, scheme === 'sluice')
}

function curlLink(text: string): ParsedLink {
  const command = parseCurlCommand(text)
  return command.kind === 'refused' ? command : (parseLink(command.url) ?? refused('not-complete'))
}

/**
 * The links and names in a text, one per line, without duplicates. A command may continue after a line that ends in a
 * backslash or `^`. Lines that begin with `#` are comments. Pure.
 */
export function sourceLines(text: string): readonly string[] {
  const lines = text.replace(/\s*[\\^]\r?\n\s*/g, ' ').split(/\r?\n/)
  return [...new Set(lines.map((line) => line.trim()).filter((line) => line !== '' && !line.startsWith('#')))]
}

function webLink(text: string): ParsedLink {
  const authority = /^[^:]+:\/\/([^/?#]*)/.exec(text)?.[1] ?? ''
  const host = authority.slice(authority.lastIndexOf('@') + 1)
  // A backslash ends the host for browsers but not for other programs.
  if (host === '' || authority.includes('\\')) return refused('not-complete')
  return /\s/.test(text) ? refused('spaces') : { kind: 'link', url: text }
}

function objectLink(text: string, isEncoded: boolean): ParsedLink {
  const [, bucket = '', rest = ''] = /^[^:]+:\/\/([^/]*)\/?([^]*)$/.exec(text) ?? []
  if (bucket.includes('@')) return refused('signs-in')
  if (!BUCKET.test(bucket)) return refused('no-bucket')
  const key = isEncoded ? decoded(rest) : rest
  if (key === null) return refused('bad-encoding')
  if (/\p{Cc}|\p{Surrogate}/u.test(key)) return refused('not-shown-name')
  if (byteLength(key) > MAX_KEY_BYTES) return refused('long-name')
  return { kind: 'object', bucket, key }
}

/** Returns null for bad encoding, and for a query or fragment, which have no meaning here. */
function decoded(text: string): string | null {
  return /[?#\s]/.test(text) ? null : percentDecoded(text)
}

/** The length in UTF-8. */
function byteLength(text: string): number {
  return encodeURIComponent(text).replace(/%[0-9A-F]{2}/g, '.').length
}
