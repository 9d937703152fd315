import { MIB } from '../../shared/limits.ts'
import type { Verification } from '../../shared/transfer.ts'
import type { ObjectIdentity } from './checkpoint/checkpoint.ts'
import type { Hasher } from './deps.ts'
import { createHash } from 'node:crypto'

const PLAIN_MD5 = /^[0-9a-f]{32}$/i
const MULTIPART = /^([0-9a-f]{32})-([1-9][0-9]{0,4})$/i

/** Part sizes of common programs, MiB, most common first. */
const COMMON_PART_MIB = [8, 16, 5, 64, 32, 10, 100, 128, 50, 15, 25, 20, 512]
/** Each candidate costs a read of the whole file. */
const MAX_CANDIDATES = 3

/**
 * What proves that the file equals the object, or null when its ETag contradicts it. `size-only` when the ETag proves
 * nothing: it is no MD5, or of parts whose size could not be found.
 */
export async function proveContent(
  hasher: Hasher,
  path: string,
  identity: ObjectIdentity,
  etagIsMd5: boolean,
  signal: AbortSignal,
): Promise<Verification | null> {
  const { etag, sizeBytes } = identity
  if (!etagIsMd5 || etag === null) return 'size-only'
  if (PLAIN_MD5.test(etag)) {
    return (await hasher.md5(path, 0, sizeBytes, signal)) === etag.toLowerCase() ? 'etag-md5' : null
  }
  const [, digest, count] = MULTIPART.exec(etag) ?? []
  if (digest === undefined) return 'size-only'
  for (const partSizeBytes of partSizesFor(sizeBytes, Number(count))) {
    const found = await multipartDigest(hasher, path, sizeBytes, partSizeBytes, signal)
    if (found === digest.toLowerCase()) return 'etag-multipart'
  }
  return 'size-only'
}

/** Part sizes in bytes that cut `sizeBytes` into `count` parts, likeliest first, 3 at most. Pure. */
export function partSizesFor(sizeBytes: number, count: number): readonly number[] {
  const exact = Math.max(1, Math.ceil(sizeBytes / count))
  const fits = (partSizeBytes: number): boolean => Math.max(1, Math.ceil(sizeBytes / partSizeBytes)) === count
  const wholeMib = Math.ceil(exact / MIB) * MIB
  const candidates = count === 1 ? [exact] : [...COMMON_PART_MIB.map((mib) => mib * MIB), wholeMib, exact]
  return [...new Set(candidates.filter(fits))].slice(0, MAX_CANDIDATES)
}

/** Hex MD5 of the parts' binary MD5s (dialect: Semantics). */
async function multipartDigest(
  hasher: Hasher,
  path: string,
  sizeBytes: number,
  partSizeBytes: number,
  signal: AbortSignal,
): Promise<string> {
  const digest = createHash('md5')
  for (let start = 0; start === 0 || start < sizeBytes; start += partSizeBytes) {
    const md5 = await hasher.md5(path, start, Math.min(partSizeBytes, sizeBytes - start), signal)
    digest.update(Buffer.from(md5, 'hex'))
  }
  return digest.digest('hex')
}
