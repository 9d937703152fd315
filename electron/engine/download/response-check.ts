// Checks that a response to GetObject has the bytes that were asked for, of the version the download is bound to.

import type { ByteRange } from '../../../shared/byte-range.ts'
import type { GetObjectResult, ObjectHead } from '../../stores/port/object-store.ts'
import type { ObjectIdentity } from '../core/records.ts'

/** If an object did not change for this long before a response, its time alone tells it from its next version. */
const RESTED_MS = 60_000

export type ContentResponse = Extract<GetObjectResult, { kind: 'content' }>

/** The gate's verdict on a response, given before its first byte is written. */
export type ResponseVerdict =
  /** The body is `range` of the object, which may be shorter than what was asked for. */
  | { readonly kind: 'range'; readonly response: ContentResponse; readonly range: ByteRange }
  /** The body is the whole object: the service ignores ranges, or none was asked for. */
  | { readonly kind: 'whole'; readonly response: ContentResponse }
  /** The object is not the one the download is bound to. */
  | { readonly kind: 'changed'; readonly detail: string }
  /** Nothing in the response can be used. */
  | { readonly kind: 'unusable'; readonly detail: string }

/**
 * Judges a response to GetObject (docs/dialect.md, Documented). `asked` is null when no range was asked for, `expected`
 * is null for the first response of a download. Pure; reads nothing of the body.
 */
export function checkResponse(
  asked: ByteRange | null,
  expected: ObjectIdentity | null,
  response: GetObjectResult,
): ResponseVerdict {
  if (response.kind === 'not-modified') return unusable('304 for an unconditional request')
  if (response.kind === 'range-not-satisfiable') {
    if (expected !== null && response.totalBytes !== null && response.totalBytes !== expected.sizeBytes) {
      return changed(`size ${response.totalBytes} instead of ${expected.sizeBytes}`)
    }
    return unusable(`416, total size ${response.totalBytes ?? 'unknown'}`)
  }
  const difference = expected === null ? null : differenceFrom(expected, response)
  if (difference !== null) return changed(difference)
  const contradiction = contradictionOf(expected, response)
  if (contradiction !== null) return unusable(contradiction)
  if (response.status === 200) return { kind: 'whole', response }
  return checkRange(asked, response)
}

function checkRange(asked: ByteRange | null, response: ContentResponse): ResponseVerdict {
  const { contentRange, contentLength } = response
  if (asked === null) return unusable('206 for a request without a range')
  if (contentRange === null || contentRange.totalBytes === null) return unusable('206 without a full Content-Range')
  const { start, end, totalBytes } = contentRange
  const text = `bytes ${start}-${end - 1}/${totalBytes} for a request for ${asked.start}-${asked.end - 1}`
  if (start !== asked.start || end <= start || end > asked.end || end > totalBytes) return unusable(text)
  if (contentLength !== null && contentLength !== end - start) return unusable(`${text}, ${contentLength} bytes`)
  return { kind: 'range', response, range: { start, end } }
}

/** The size of the whole object according to a response, or null. */
export function sizeOf(response: ContentResponse): number | null {
  if (response.status === 206) return response.contentRange?.totalBytes ?? null
  return response.contentLength ?? response.head.sizeBytes
}

function differenceFrom(expected: ObjectIdentity, response: ContentResponse): string | null {
  const { etag, lastModified } = response.head
  const sizeBytes = sizeOf(response)
  // A response that tells no version is of none: that is no reason to give up what is here.
  if (etag === null && lastModified === null) return null
  if (etag !== expected.etag) return `ETag ${etag ?? 'absent'} instead of ${expected.etag ?? 'none'}`
  if (lastModified !== expected.lastModified) {
    return `Last-Modified ${lastModified ?? 'absent'} instead of ${expected.lastModified ?? 'none'}`
  }
  // With the same strong ETag, another size does not mean another object but a wrong response.
  if (sizeBytes !== null && sizeBytes !== expected.sizeBytes && !isStrong(etag)) {
    return `size ${sizeBytes} instead of ${expected.sizeBytes}`
  }
  return null
}

/** Says why a response for the right version can't be what it claims to be; null when it can. */
function contradictionOf(expected: ObjectIdentity | null, response: ContentResponse): string | null {
  const { contentEncoding, etag, lastModified } = response.head
  const sizeBytes = sizeOf(response)
  const isBound = expected !== null && (expected.etag !== null || expected.lastModified !== null)
  if (isBound && etag === null && lastModified === null) return 'neither an ETag nor a Last-Modified'
  if (expected !== null && sizeBytes !== null && sizeBytes !== expected.sizeBytes) {
    return `size ${sizeBytes} instead of ${expected.sizeBytes}`
  }
  // A response for an object stored encoded has a length and a version; one that a proxy encodes on the way lacks one.
  const isStored = response.contentLength !== null && (expected ?? identityOf(response)) !== null
  if (contentEncoding !== null && !isStored) return `Content-Encoding ${contentEncoding}, which was not asked for`
  return null
}

/**
 * The version of the object in a response. Null when nothing tells it from another version, and the download can't be
 * continued: bytes of two responses may be joined only under the same strong validator (RFC 9110, 8.8.1 and 15.3.7.3).
 * Last-Modified is strong if the object had been at rest for a while by then (8.8.2.2; caches use a minute).
 */
export function identityOf(response: ContentResponse): ObjectIdentity | null {
  const { etag, lastModified, serverTimeMs } = response.head
  const sizeBytes = sizeOf(response)
  if (sizeBytes === null) return null
  const restedMs = (serverTimeMs ?? NaN) - Date.parse(lastModified ?? '')
  return isStrong(etag) || restedMs >= RESTED_MS ? { sizeBytes, etag, lastModified } : null
}

/** Whether a fresh link leads to the object that a download begun with another link is bound to. */
export function isSameObject(bound: ObjectIdentity, found: ObjectIdentity | null): boolean {
  if (found?.sizeBytes !== bound.sizeBytes || found.etag !== bound.etag) return false
  return isStrong(bound.etag) || found.lastModified === bound.lastModified
}

/** Whether what is told of an object is of this very version. */
export function isVersion(
  head: Pick<ObjectHead, 'sizeBytes' | 'etag' | 'lastModified'>,
  bound: ObjectIdentity,
): boolean {
  const isSameSize = head.sizeBytes === null || head.sizeBytes === bound.sizeBytes
  return isSameSize && head.etag === bound.etag && head.lastModified === bound.lastModified
}

/** Whether the ETag changes with every byte. A weak one may stand for several versions (RFC 9110, 8.8.1). */
export function isStrong(etag: string | null): boolean {
  return etag !== null && etag !== '' && !etag.startsWith('W/')
}

const changed = (detail: string): ResponseVerdict => ({ kind: 'changed', detail })
const unusable = (detail: string): ResponseVerdict => ({ kind: 'unusable', detail })
