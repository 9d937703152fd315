import type { ObjectDigests } from '../port/object-store.ts'
import type { HttpResponse } from '../http/exchange.ts'
import { parseContentRange } from './header-values.ts'

/**
 * Digests of the whole object that an answer carries: Repr-Digest (RFC 9530), Digest (RFC 3230), Content-MD5 (RFC 1864,
 * of a whole body only), x-goog-hash and Amazon's full-object CRC-32 (of an answer with the whole object only: to a range
 * that is just one part of an upload S3 answers with that part's). Unreadable ones count as absent, and so do all
 * where the service transforms what it sends.
 */
export function readDigests({ status, headers }: Pick<HttpResponse, 'status' | 'headers'>): ObjectDigests | null {
  const encoding = headers.get('content-encoding') ?? 'identity'
  if (encoding !== '' && encoding.toLowerCase() !== 'identity') return null
  const listed = new Map<string, string>()
  for (const name of ['digest', 'x-goog-hash', 'repr-digest']) {
    for (const item of (headers.get(name) ?? '').split(',')) {
      const [, algorithm = '', value = ''] = /^\s*([\w-]+)=:?([^:]*):?\s*$/.exec(item) ?? []
      listed.set(algorithm.toLowerCase(), value)
    }
  }
  const contentMd5 = status === 200 ? headers.get('content-md5') : undefined
  const md5 = hexOf(listed.get('md5') ?? contentMd5, 16)
  const sha256 = hexOf(listed.get('sha-256'), 32)
  // A composite one, of parts, ends in their number.
  const isComposite = headers.get('x-amz-checksum-type')?.toUpperCase() === 'COMPOSITE'
  const isOfObject = !isComposite && (status === 200 || isWhole(headers.get('content-range')))
  const crc32 = !isOfObject ? null : hexOf(headers.get('x-amz-checksum-crc32'), 4)
  if (md5 === null && sha256 === null && crc32 === null) return null
  return {
    ...(md5 === null ? {} : { md5 }),
    ...(sha256 === null ? {} : { sha256 }),
    ...(crc32 === null ? {} : { crc32: Number.parseInt(crc32, 16) }),
  }
}

function isWhole(contentRange: string | undefined): boolean {
  const range = parseContentRange(contentRange)
  return range?.start === 0 && range.end === range.totalBytes
}

/** Base64 of exactly `bytes` bytes as hex; null for anything else. */
function hexOf(base64: string | undefined, bytes: number): string | null {
  if (base64 === undefined || !/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return null
  const value = Buffer.from(base64, 'base64')
  return value.length === bytes ? value.toString('hex') : null
}
