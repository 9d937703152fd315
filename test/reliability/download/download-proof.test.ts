import { createHash, randomBytes } from 'node:crypto'
import { closeSync, openSync, writeSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import { expect, test } from 'vitest'
import type { Clock, Hasher } from '../../../electron/engine/core/deps.ts'
import { beginDigest } from '../../../electron/engine/hashing/running-digest.ts'
import { createSystemClock } from '../../../electron/engine/system/system-clock.ts'
import type { ObjectStore } from '../../../electron/stores/port/object-store.ts'
import { MIB } from '../../../shared/limits.ts'
import { openS3 } from '../../stores/s3/support/open-s3.ts'
import { partDigests, startS3Object, type S3ObjectOptions } from '../../support/servers/s3-object-server.ts'
import { createTestHasher } from '../../support/tools/hasher.ts'
import { createFastClock, downloadFixture, sha256, sha256OfFile } from '../../support/worlds/download-fixture.ts'

const CEPH = { 'x-amz-request-id': 'tx000000000000000000001-0000000000-1-default' }
const KMS = { ...CEPH, 'x-amz-server-side-encryption': 'aws:kms' }
const NO_ETAG = { etag: `${'0'.repeat(32)}-3` }
const THREE = [6 * MIB, 5 * MIB, 3 * MIB + 5]
const CONTENT = randomBytes(sumOf(THREE))
const base64 = (hex: string) => Buffer.from(hex, 'hex').toString('base64')

function sumOf(sizes: readonly number[]): number {
  return sizes.reduce((sum, size) => sum + size, 0)
}

/** Downloads what a service gives, and finds the bytes in the file. */
async function download(
  bytes: Buffer,
  options: S3ObjectOptions,
  narrow: (store: ObjectStore) => ObjectStore = (store) => store,
  clock: Clock = createSystemClock(),
) {
  const { endpoint, requests } = await startS3Object(bytes, options)
  const fixture = await downloadFixture(null)
  const store = narrow(openS3(endpoint))
  const running = fixture.begin({ store, giveUpAfterMs: 10 * 60_000, clock })
  const outcome = await running.outcome
  expect(outcome.kind).toBe('completed')
  expect(await sha256OfFile(fixture.target)).toBe(sha256(bytes))
  const heads = requests.filter(({ method }) => method === 'HEAD').length
  const lists = requests.filter(({ url }) => url.includes('attributes')).length
  return { outcome, heads, lists, log: running.log }
}

const range = <Value>(count: number, value: (index: number) => Value) =>
  Array.from({ length: count }, (_, i) => value(i))

/** Ways that programs cut files: the sizes of the parts, and how many questions they take at most. */
const CUTS: readonly (readonly [string, readonly number[], number])[] = [
  ['5 MiB', [...range(3, () => 5 * MIB), 7], 4],
  ['7,340,033 bytes', [...range(3, () => 7_340_033), 1_000_000], 4],
  ['a first part of its own', [MIB + 11, ...range(8, () => 2 * MIB), 5], 10],
  ['a second part of its own', [MIB, 2 * MIB + 1, ...range(9, () => MIB), 5], 10],
  ['growing parts', [...range(6, () => MIB), ...range(4, () => 2 * MIB), ...range(2, () => 3 * MIB), 9], 12],
  ['joined from files', [3_000_017, 1, 4_500_000, 2_222_222, 900_001, 5_000_000], 6],
  ['10,000 parts', [...range(9_999, () => 1009), 17], 4],
  ['10,000 parts, the first of its own', [5, ...range(9_998, () => 1009), 17], 18],
  ['a long last part', [MIB, MIB, 9 * MIB], 4],
]

test.each(CUTS)('parts that the service tells prove a file: %s', async (_how, sizes, mostQuestions) => {
  const bytes = randomBytes(sumOf(sizes))
  const { outcome, heads } = await download(bytes, { sizes })
  expect(outcome).toEqual({ kind: 'completed', verification: 'etag-multipart' })
  expect(heads).toBeLessThanOrEqual(mostQuestions)
})

test('many parts of different sizes are listed where the service has a list, else too many questions are not asked', async () => {
  const sizes = range(2_500, (index) => 1000 + (index % 7))
  const bytes = randomBytes(sumOf(sizes))
  const asAmazon = (store: ObjectStore): ObjectStore => ({
    ...store,
    capabilities: { ...store.capabilities, listsObjectParts: true },
  })
  const listed = await download(bytes, { sizes, listsParts: true }, asAmazon)
  expect(listed.outcome).toEqual({ kind: 'completed', verification: 'etag-multipart' })
  expect(listed.heads).toBeLessThanOrEqual(32)
  expect(listed.lists).toBe(3)
  const unlisted = await download(bytes, { sizes }, asAmazon)
  expect(unlisted.outcome).toEqual({ kind: 'completed', verification: 'size-only', lack: 'parts-uneven' })
  expect(unlisted.heads).toBeLessThanOrEqual(1000)
})

test.each<[string, NonNullable<S3ObjectOptions['respondToPart']>]>([
  ['answers about the whole object', (_, whole) => whole],
  ['refuses', () => ({ status: 403 })],
  ['has no such thing', () => ({ status: 501 })],
  ['is busy for ever', () => ({ status: 503 })],
  ['answers about another version', (_, { headers }) => ({ status: 206, headers: { ...headers, etag: '"new-3"' } })],
])('a service that %s when it is asked about a part stops no download', async (_how, respondToPart) => {
  const { outcome } = await download(CONTENT, { sizes: THREE, respondToPart })
  expect(outcome).toEqual({ kind: 'completed', verification: 'size-only', lack: 'parts-untold' })
})

test('bytes that another program changed locally are found even without known parts, and fetched again', async () => {
  const sizes = [5 * MIB, 5 * MIB, MIB]
  const bytes = randomBytes(sumOf(sizes))
  const { endpoint, requests } = await startS3Object(bytes, { sizes, respondToPart: () => ({ status: 403 }) })
  const fixture = await downloadFixture(null)
  const hasher = await createTestHasher()
  let changed: string | null = null
  const meddling: Hasher = {
    ...hasher,
    digest(algorithm, path, offset, ...rest) {
      if (changed === null) {
        const file = openSync(path, 'r+')
        writeSync(file, Buffer.from([(bytes[offset] ?? 0) ^ 1]), 0, 1, offset)
        closeSync(file)
      }
      changed ??= path
      return hasher.digest(algorithm, path, offset, ...rest)
    },
  }
  const running = fixture.begin({ store: openS3(endpoint), hasher: meddling, giveUpAfterMs: 10 * 60_000 })
  expect(await running.outcome).toEqual({ kind: 'completed', verification: 'etag-multipart' })
  expect(changed).toMatch(/\.part$/)
  expect(await sha256OfFile(fixture.target)).toBe(sha256(bytes))
  expect(requests.filter(({ method }) => method === 'GET').length).toBeGreaterThan(1)
})

test('a question that is never answered holds up no download', async () => {
  const silent = (store: ObjectStore): ObjectStore => ({
    ...store,
    headPart: ({ signal }) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error))),
  })
  const { outcome } = await download(CONTENT, { sizes: THREE }, silent, createFastClock())
  expect(outcome).toEqual({ kind: 'completed', verification: 'size-only', lack: 'parts-untold' })
})

test('bytes that were damaged on the way are found by the MD5 of a part, and fetched again', async () => {
  let damages = 1
  const damage = (bytes: Buffer, start: number) => {
    if (start > 0 && damages-- > 0) bytes[100] = (bytes[100] ?? 0) ^ 1
    return bytes
  }
  const { outcome, log } = await download(CONTENT, { sizes: THREE, headers: CEPH, damage })
  expect(outcome).toEqual({ kind: 'completed', verification: 'etag-multipart' })
  expect(log.join()).toMatch('downloading it once more')
})

/** Damages one byte of some requests, counted from 1, that don't begin at the object's first byte. */
function damageOf(requests: readonly number[]) {
  let count = 0
  return (bytes: Buffer, start: number) => {
    if (start > 0) count += 1
    if (start > 0 && requests.includes(count)) bytes[100] = (bytes[100] ?? 0) ^ count
    return bytes
  }
}

test('of a service that is not known as well', async () => {
  const { outcome, log } = await download(CONTENT, { sizes: THREE, damage: damageOf([1]) })
  expect(outcome).toEqual({ kind: 'completed', verification: 'etag-multipart' })
  expect(log.filter((line) => line.includes('once more'))).toHaveLength(1)
})

test('other bytes each time are no file, whatever is known of the service', async () => {
  const damage = damageOf(range(99, (index) => index + 1))
  const { endpoint } = await startS3Object(CONTENT, { sizes: THREE, damage })
  const fixture = await downloadFixture(null)
  const running = fixture.begin({ store: openS3(endpoint), giveUpAfterMs: 10 * 60_000 })
  expect(await running.outcome).toMatchObject({ kind: 'failed', error: { code: 'final-mismatch' } })
  expect(await fixture.files()).not.toContain('set.bin')
})

test('a service that makes up its multipart ETags costs a second reading only once, and that is reported', async () => {
  const odd = await startS3Object(CONTENT, { sizes: THREE, ...NO_ETAG })
  const fixture = await downloadFixture(null)
  const begin = async () => {
    await fixture.checkpoints.remove([...fixture.checkpoints.records.keys()])
    await fixture.enter()
    const running = fixture.begin({ store: openS3(odd.endpoint), giveUpAfterMs: 10 * 60_000 })
    const outcome = await running.outcome
    expect(await sha256OfFile(fixture.target)).toBe(sha256(CONTENT))
    await rm(fixture.target)
    return { outcome, reads: 1 + running.log.filter((line) => line.includes('once more')).length }
  }
  const sizeOnly = { kind: 'completed', verification: 'size-only' }
  expect(await begin()).toEqual({ outcome: { ...sizeOnly, lack: 'etag-differs' }, reads: 2 })
  expect(await begin()).toEqual({ outcome: { ...sizeOnly, lack: 'parts-differ' }, reads: 1 })
})

test('an ETag that is not made of the parts costs at most a second reading, and that is reported', async () => {
  const { outcome, log } = await download(CONTENT, { sizes: THREE, headers: CEPH, ...NO_ETAG })
  expect(outcome).toEqual({ kind: 'completed', verification: 'size-only', lack: 'etag-differs' })
  expect(log.filter((line) => line.includes('once more'))).toHaveLength(1)
})

function digestOf(algorithm: 'crc32c' | 'crc64nvme' | 'sha1' | 'sha256'): string {
  const digest = beginDigest(algorithm)
  digest.update(CONTENT)
  return base64(digest.digest('hex'))
}

function compositeOf(algorithm: 'sha256' | 'sha1'): string {
  const digest = createHash(algorithm)
  for (const each of partDigests(CONTENT, THREE, algorithm)) digest.update(each)
  return `${digest.digest('base64')}-3`
}

function compositeCrc32(): string {
  let end = 0
  const sums = THREE.map((size) => crc32(CONTENT.subarray(end, (end += size))))
  const binary = Buffer.alloc(4 * sums.length)
  for (const [index, sum] of sums.entries()) binary.writeUInt32BE(sum, 4 * index)
  return `${base64(crc32(binary).toString(16).padStart(8, '0'))}-3`
}

const FULL = { 'x-amz-checksum-type': 'FULL_OBJECT' }
const COMPOSITE = { 'x-amz-checksum-type': 'COMPOSITE' }

test.each<[string, Readonly<Record<string, string>>, string]>([
  ['CRC-64/NVME', { ...FULL, 'x-amz-checksum-crc64nvme': digestOf('crc64nvme') }, 'crc'],
  ['CRC-32C', { ...FULL, 'x-amz-checksum-crc32c': digestOf('crc32c') }, 'crc'],
  ['CRC-32', { ...FULL, 'x-amz-checksum-crc32': base64(crc32(CONTENT).toString(16).padStart(8, '0')) }, 'crc'],
  ['SHA-256', { ...FULL, 'x-amz-checksum-sha256': digestOf('sha256') }, 'digest'],
  ['SHA-1', { ...FULL, 'x-amz-checksum-sha1': digestOf('sha1') }, 'digest'],
  ['CRC-32 of parts', { ...COMPOSITE, 'x-amz-checksum-crc32': compositeCrc32() }, 'crc'],
  ['SHA-256 of parts', { ...COMPOSITE, 'x-amz-checksum-sha256': compositeOf('sha256') }, 'digest'],
  ['SHA-1 of parts', { ...COMPOSITE, 'x-amz-checksum-sha1': compositeOf('sha1') }, 'digest'],
])('where keys of others encrypt, the %s that the service keeps proves a file', async (_name, checksums, proves) => {
  const { outcome } = await download(CONTENT, { sizes: THREE, headers: KMS, checksums, ...NO_ETAG })
  expect(outcome).toEqual({ kind: 'completed', verification: proves })
})

test('a checksum finds damage that nothing else would', async () => {
  let damages = 1
  const damage = (bytes: Buffer, start: number) => {
    if (start > 0 && damages-- > 0) bytes[100] = (bytes[100] ?? 0) ^ 1
    return bytes
  }
  const checksums = { ...FULL, 'x-amz-checksum-crc64nvme': digestOf('crc64nvme') }
  const { outcome, log } = await download(CONTENT, { sizes: THREE, headers: KMS, checksums, ...NO_ETAG, damage })
  expect(outcome).toEqual({ kind: 'completed', verification: 'crc' })
  expect(log.join()).toMatch('downloading it once more')
})

const OTHER = Buffer.from(sha256(Buffer.from('other')), 'hex')

/** Checksums of what a service stored, for example compressed, while it sends what that unpacks to. */
test.each<[string, Partial<S3ObjectOptions>]>([
  ['Digest', { headers: { digest: `md5=${OTHER.toString('base64', 0, 16)}` } }],
  ['Repr-Digest', { headers: { 'repr-digest': `sha-256=:${OTHER.toString('base64')}:` } }],
  ['x-goog-hash', { headers: { 'x-goog-hash': `crc32c=${OTHER.toString('base64', 0, 4)}` } }],
  ['CRC-32', { headers: KMS, checksums: { ...FULL, 'x-amz-checksum-crc32': OTHER.toString('base64', 0, 4) } }],
])('a checksum of other bytes, in %s, costs at most a second reading, and is reported', async (_header, options) => {
  const { outcome, log } = await download(CONTENT, { sizes: THREE, etag: 'opaque', ...options })
  expect(outcome).toEqual({ kind: 'completed', verification: 'size-only', lack: 'checksum-differs' })
  expect(log.filter((line) => line.includes('once more'))).toHaveLength(1)
})

test('a checksum lets no bytes through that are others each time', async () => {
  const damage = damageOf(range(99, (index) => index + 1))
  const headers = { 'repr-digest': `sha-256=:${digestOf('sha256')}:` }
  const { endpoint } = await startS3Object(CONTENT, { sizes: THREE, etag: 'opaque', headers, damage })
  const fixture = await downloadFixture(null)
  const running = fixture.begin({ store: openS3(endpoint), giveUpAfterMs: 10 * 60_000 })
  expect(await running.outcome).toMatchObject({ kind: 'failed', error: { code: 'final-mismatch' } })
  expect(await fixture.files()).not.toContain('set.bin')
})

test('where nothing is certain and nothing is told, it says that there is no checksum', async () => {
  const { outcome } = await download(CONTENT, { sizes: THREE, headers: KMS, etag: 'opaque' })
  expect(outcome).toEqual({ kind: 'completed', verification: 'size-only', lack: 'no-checksum' })
})
