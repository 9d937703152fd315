import type { ByteRange } from '../../shared/byte-range.ts'
import type { GetObjectResult } from '../stores/object-store.ts'
import type { ObjectIdentity } from './checkpoint/checkpoint.ts'

export type ContentAnswer = Extract<GetObjectResult, { kind: 'content' }>

/** What the gate says of an answer before its first byte is written. */
export type GateVerdict =
  /** The body is the bytes `range` of the object; it may be shorter than what was asked. */
  | { readonly kind: 'range'; readonly answer: ContentAnswer; readonly range: ByteRange }
  /** The body is the whole object: the service ignores ranges, or none was asked. */
  | { readonly kind: 'whole'; readonly answer: ContentAnswer }
  /** The object is not the one the download is bound to. */
  | { readonly kind: 'changed'; readonly detail: string }
  /** Nothing can be used of the answer. */
  | { readonly kind: 'unusable'; readonly detail: string }

/**
 * Judges an answer to GetObject (spec: GetObject, rules 1 and 2). `asked` is null when no range was asked, `expected`
 * is null for the first answer of a download. Pure; reads nothing of the body.
 */
export function checkAnswer(
  asked: ByteRange | null,
  expected: ObjectIdentity | null,
  answer: GetObjectResult,
): GateVerdict {
  if (answer.kind === 'not-modified') return unusable('304 to an unconditional request')
  if (answer.kind === 'range-not-satisfiable') {
    if (expected !== null && answer.totalBytes !== null && answer.totalBytes !== expected.sizeBytes) {
      return changed(`size ${answer.totalBytes} instead of ${expected.sizeBytes}`)
    }
    return unusable(`416, total ${answer.totalBytes ?? 'unknown'}`)
  }
  const difference = expected === null ? null : differenceFrom(expected, answer)
  if (difference !== null) return changed(difference)
  if (answer.status === 200) return { kind: 'whole', answer }
  return checkRange(asked, answer)
}

function checkRange(asked: ByteRange | null, answer: ContentAnswer): GateVerdict {
  const { contentRange, contentLength } = answer
  if (asked === null) return unusable('206 to a request without a range')
  if (contentRange === null || contentRange.totalBytes === null) return unusable('206 without a full Content-Range')
  const { start, end, totalBytes } = contentRange
  const text = `${start}-${end - 1}/${totalBytes} to a request for ${asked.start}-${asked.end - 1}`
  if (start !== asked.start || end <= start || end > asked.end || end > totalBytes) return unusable(text)
  if (contentLength !== null && contentLength !== end - start) return unusable(`${text}, ${contentLength} bytes`)
  return { kind: 'range', answer, range: { start, end } }
}

/** Size of the whole object as an answer tells it, or null. */
export function sizeOf(answer: ContentAnswer): number | null {
  if (answer.status === 206) return answer.contentRange?.totalBytes ?? null
  return answer.contentLength ?? answer.head.sizeBytes
}

function differenceFrom(expected: ObjectIdentity, answer: ContentAnswer): string | null {
  const { etag, lastModified } = answer.head
  const sizeBytes = sizeOf(answer)
  if (etag !== expected.etag) return `ETag ${etag ?? 'absent'} instead of ${expected.etag ?? 'none'}`
  if (lastModified !== expected.lastModified) {
    return `Last-Modified ${lastModified ?? 'absent'} instead of ${expected.lastModified ?? 'none'}`
  }
  if (sizeBytes !== null && sizeBytes !== expected.sizeBytes) {
    return `size ${sizeBytes} instead of ${expected.sizeBytes}`
  }
  return null
}

/** Bytes of two answers may be joined only under the same strong validator (RFC 9110, 13.3.3 and 15.3.7.3). */
export function isStrong(etag: string | null): boolean {
  return etag !== null && etag !== '' && !etag.startsWith('W/')
}

const changed = (detail: string): GateVerdict => ({ kind: 'changed', detail })
const unusable = (detail: string): GateVerdict => ({ kind: 'unusable', detail })
