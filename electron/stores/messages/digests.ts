import type { CompositeDigest, ObjectDigests } from '../port/object-store.ts'
import type { HttpResponse } from '../http/exchange.ts'
import { parseContentRange } from './header-values.ts'

type Headers = HttpResponse['headers']

/** Amazon's checksums (`x-amz-checksum-<name>`) and how many bytes each has, strongest checksum of parts first. */
const CHECKSUMS = { sha256: 32, sha1: 20, crc64nvme: 8, crc32c: 4, crc32: 4 } as const
const COMPOSITES = ['sha256', 'sha1', 'crc32c', 'crc32'] as const

/**
 * Reads the digests of the whole object that a response carries: Repr-Digest (RFC 9530), Digest (RFC 3230), Content-MD5
 * (RFC 1864, only of a whole body), x-goog-hash and Amazon's checksums (only of a response with the whole object,
 * because S3 answers a range that is exactly one part of an upload with that part's checksum). Unreadable digests count
 * as absent, and all digests do where the service transforms what it sends.
 */
export function readDigests({ status, headers }: Pick<HttpResponse, 'status' | 'headers'>): ObjectDigests | null {
  const encoding = headers.get('content-encoding') ?? 'identity'
  if (encoding !== '' && encoding.toLowerCase() !== 'identity') return null
  const listed = listedIn(headers, ['digest', 'x-goog-hash', 'repr-digest'])
  const contentMd5 = status === 200 ? headers.get('content-md5') : undefined
  const isOfObject = status === 200 || isWhole(headers.get('content-range'))
  const { crc32, ...checksums } = isOfObject ? checksumsOf(headers) : {}
  const md5 = hexOf(listed.get('md5') ?? contentMd5, 16)
  const sha256 = hexOf(listed.get('sha-256'), 32)
  const crc32c = hexOf(listedIn(headers, ['x-goog-hash']).get('crc32c'), 4)
  const composite = isOfObject ? compositeOf(headers) : null
  const digests: ObjectDigests = {
    ...checksums,
    ...(md5 === null ? {} : { md5 }),
    ...(sha256 === null ? {} : { sha256 }),
    ...(crc32c === null ? {} : { crc32c }),
    ...(crc32 === undefined ? {} : { crc32: Number.parseInt(crc32, 16) }),
    ...(composite === null ? {} : { composite }),
  }
  return Object.keys(digests).length === 0 ? null : digests
}

/** Returns the `<algorithm>=<base64>` entries of these headers, by lower-case algorithm; the last one wins. */
function listedIn(headers: Headers, names: readonly string[]): ReadonlyMap<string, string> {
  const listed = new Map<string, string>()
  for (const name of names) {
    for (const item of (headers.get(name) ?? '').split(',')) {
      const [, algorithm = '', value = ''] = /^\s*([\w-]+)=:?([^:]*):?\s*$/.exec(item) ?? []
      listed.set(algorithm.toLowerCase(), value)
    }
  }
  return listed
}

/** Reads the checksums of the whole object, in hex. */
function checksumsOf(headers: Headers): Partial<Record<keyof typeof CHECKSUMS, string>> {
  if (isComposite(headers)) return {}
  const found: Partial<Record<keyof typeof CHECKSUMS, string>> = {}
  for (const name of Object.keys(CHECKSUMS) as (keyof typeof CHECKSUMS)[]) {
    const hex = hexOf(headers.get(`x-amz-checksum-${name}`), CHECKSUMS[name])
    if (hex !== null) found[name] = hex
  }
  return found
}

/** Reads a checksum over the checksums of parts, which ends in the number of parts. */
function compositeOf(headers: Headers): CompositeDigest | null {
  for (const algorithm of COMPOSITES) {
    const [, base64, count] = /^(.+)-([1-9]\d{0,4})$/.exec(headers.get(`x-amz-checksum-${algorithm}`) ?? '') ?? []
    const digest = hexOf(base64, CHECKSUMS[algorithm])
    if (digest !== null) return { algorithm, digest, partCount: Number(count) }
  }
  return null
}

function isComposite(headers: Headers): boolean {
  return headers.get('x-amz-checksum-type')?.toUpperCase() === 'COMPOSITE'
}

function isWhole(contentRange: string | undefined): boolean {
  const range = parseContentRange(contentRange)
  return range?.start === 0 && range.end === range.totalBytes
}

/** Converts Base64 of exactly `bytes` bytes to hex; returns null for anything else. */
function hexOf(base64: string | undefined, bytes: number): string | null {
  if (base64 === undefined || !/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return null
  const value = Buffer.from(base64, 'base64')
  return value.length === bytes ? value.toString('hex') : null
}
