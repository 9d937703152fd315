import { createHash, randomBytes } from 'node:crypto'
import { truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import { expect, test } from 'vitest'
import type { Hasher } from '../../../electron/engine/core/deps.ts'
import { ContentProof } from '../../../electron/engine/integrity/content-proof.ts'
import { planOf, type ProofFacts } from '../../../electron/engine/integrity/proof-goals.ts'
import type { ObjectDigests } from '../../../electron/stores/port/object-store.ts'
import { MIB } from '../../../shared/limits.ts'
import { createTestHasher } from '../../support/tools/hasher.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'

const { signal } = new AbortController()
const BYTES = randomBytes(40 * MIB + 5)
const md5 = (bytes: Uint8Array) => createHash('md5').update(bytes)

function multipartEtag(bytes: Uint8Array, partSizeBytes: number): string {
  const all = createHash('md5')
  let count = 0
  for (let start = 0; start < bytes.length; start += partSizeBytes, count += 1) {
    all.update(md5(bytes.subarray(start, start + partSizeBytes)).digest())
  }
  return `${all.digest('hex')}-${count}`
}

async function fileOf(bytes: Uint8Array): Promise<string> {
  const path = join(await tempDir(), 'content')
  await writeFile(path, bytes)
  return path
}

/** Counts the bytes that are read. */
function counting(hasher: Hasher) {
  const counted = { bytes: 0, settled: () => Promise.resolve() }
  const wrapped: Hasher = {
    ...hasher,
    digest(algorithm, path, offset, length, stop) {
      counted.bytes += length
      return hasher.digest(algorithm, path, offset, length, stop)
    },
    open(path, algorithm) {
      const stream = hasher.open(path, algorithm)
      return {
        ...stream,
        append(length, stop) {
          counted.bytes += length
          return stream.append(length, stop)
        },
      }
    },
  }
  return { counted, hasher: wrapped }
}

/** Counts the hashes that are asked for at once. */
function batchesOf(hasher: Hasher) {
  const sizes: number[] = []
  let isOpen = false
  const wrapped: Hasher = {
    ...hasher,
    digest(...asked) {
      if (isOpen) sizes.push((sizes.pop() ?? 0) + 1)
      else sizes.push(1)
      isOpen = true
      void setImmediate().then(() => (isOpen = false))
      return hasher.digest(...asked)
    },
  }
  return { sizes, hasher: wrapped }
}

const identity = (etag: string) => ({ sizeBytes: BYTES.length, etag, lastModified: null })

/** Aims at what is known of an object with this ETag. */
function aim(proof: ContentProof, etag: string, etagIsMd5: boolean, others: Partial<ProofFacts> = {}): void {
  const plan = planOf({ identity: identity(etag), capabilities: { etagIsMd5 }, ...others })
  proof.aim(() => Promise.resolve(plan))
}

test('every byte is read once, however the file arrives, and the proof is right', async () => {
  const path = await fileOf(BYTES)
  const etags = [md5(BYTES).digest('hex'), multipartEtag(BYTES, 8 * MIB)]
  for (const [index, etag] of etags.entries()) {
    const { hasher, counted } = counting(await createTestHasher(2))
    const proof = new ContentProof(hasher, path, BYTES.length)
    aim(proof, etag, true)
    proof.follow([{ start: 3 * MIB, end: 20 * MIB }])
    proof.follow([{ start: 0, end: 20 * MIB }])
    proof.follow([
      { start: 0, end: 25 * MIB },
      { start: 30 * MIB, end: 40 * MIB },
    ])
    expect((await proof.prove([], signal))?.verification ?? null).toBe(['etag-md5', 'etag-multipart'][index])
    expect(counted.bytes).toBe(BYTES.length)
  }
})

test('parts are hashed eight at a time, which costs a third, and the rest when all is there', async () => {
  const path = await fileOf(BYTES)
  const batches = batchesOf(await createTestHasher(2))
  const proof = new ContentProof(batches.hasher, path, BYTES.length)
  aim(proof, multipartEtag(BYTES, 2 * MIB), true)
  await setImmediate()
  proof.follow([{ start: 0, end: 15 * MIB }])
  await setImmediate()
  expect(batches.sizes).toEqual([])
  proof.follow([
    { start: 0, end: 15 * MIB },
    { start: 22 * MIB, end: 25 * MIB },
  ])
  expect(batches.sizes).toEqual([8])
  expect((await proof.prove([], signal))?.verification).toBe('etag-multipart')
  expect(batches.sizes.reduce((sum, size) => sum + size, 0)).toBe(21)
})

test('of part sizes that fit the count the right one is found', async () => {
  const path = await fileOf(BYTES)
  const { hasher } = counting(await createTestHasher(2))
  for (const partSizeBytes of [15 * MIB, 16 * MIB, 20 * MIB]) {
    const proof = new ContentProof(hasher, path, BYTES.length)
    aim(proof, multipartEtag(BYTES, partSizeBytes), true)
    expect((await proof.prove([], signal))?.verification ?? null).toBe('etag-multipart')
  }
})

test('an ETag that looks like an MD5 proves by agreement; disagreement means something only where ETags are MD5s', async () => {
  const path = await fileOf(BYTES)
  const hasher = await createTestHasher()
  const other = '0'.repeat(32)
  const cases = [
    [md5(BYTES).digest('hex'), false, 'etag-md5'],
    [other, false, 'size-only'],
    [other, true, null],
    [`${other}-3`, true, 'size-only'],
    ['5f2b8c1a-1f40', false, 'size-only'],
  ] as const
  for (const [etag, etagIsMd5, expected] of cases) {
    const proof = new ContentProof(hasher, path, BYTES.length)
    aim(proof, etag, etagIsMd5)
    expect((await proof.prove([], signal))?.verification ?? null).toBe(expected)
  }
})

test('digests of the response prove, a CRC-32 without reading a byte', async () => {
  const path = await fileOf(BYTES)
  const { hasher, counted } = counting(await createTestHasher())
  const prove = async (digests: ObjectDigests, etag = 'opaque') => {
    const proof = new ContentProof(hasher, path, BYTES.length)
    aim(proof, etag, false, { digests })
    const cut = 17 * MIB + 3
    const proven = await proof.prove(
      [
        { start: 0, end: cut, crc32: crc32(BYTES.subarray(0, cut)) },
        { start: cut, end: BYTES.length, crc32: crc32(BYTES.subarray(cut)) },
      ],
      signal,
    )
    return proven?.verification ?? null
  }
  expect(await prove({ crc32: crc32(BYTES) })).toBe('crc')
  expect(await prove({ crc32: 7 })).toBe(null)
  expect(counted.bytes).toBe(0)
  // It was of something else.
  expect(await prove({ crc32: 7 }, multipartEtag(BYTES, 8 * MIB))).toBe('etag-multipart')
  expect(await prove({ crc32: 7 }, md5(BYTES).digest('hex'))).toBe('etag-md5')
  expect(await prove({ crc32: 7 }, `${'0'.repeat(32)}-5`)).toBe(null)
  expect(await prove({ sha256: createHash('sha256').update(BYTES).digest('hex') })).toBe('digest')
  expect(await prove({ md5: '0'.repeat(32) })).toBe(null)
})

test('bytes hashed before a restart are hashed again; after a stop, none are', async () => {
  const path = await fileOf(randomBytes(BYTES.length))
  const { hasher } = counting(await createTestHasher())
  const proof = new ContentProof(hasher, path, BYTES.length)
  aim(proof, md5(BYTES).digest('hex'), true)
  proof.follow([{ start: 0, end: BYTES.length }])
  await proof.restart()
  await writeFile(path, BYTES)
  expect((await proof.prove([], signal))?.verification ?? null).toBe('etag-md5')
  await proof.stop()
})

test('a stop ends a proof that is being made, and a file that is too short is an error', async () => {
  const path = await fileOf(BYTES)
  const hasher = await createTestHasher()
  const controller = new AbortController()
  const proof = new ContentProof(hasher, path, BYTES.length)
  aim(proof, md5(BYTES).digest('hex'), true)
  proof.follow([{ start: 0, end: BYTES.length }])
  const proving = proof.prove([], controller.signal)
  controller.abort('pause')
  await expect(proving).rejects.toBe('pause')
  await truncate(path, MIB)
  const short = new ContentProof(hasher, path, BYTES.length)
  aim(short, md5(BYTES).digest('hex'), true)
  await expect(short.prove([], signal)).rejects.toMatchObject({ code: 'ESHORTREAD' })
})
