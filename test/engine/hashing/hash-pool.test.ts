import { execFileSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import { mkdtemp, open, readdir, readlink, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { MIB } from '../../../shared/limits.ts'
import { createTestHasher } from '../../support/tools/hasher.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'

const { signal } = new AbortController()
setMaxListeners(0, signal)
const md5 = (bytes: Uint8Array) => createHash('md5').update(bytes).digest('hex')

async function fileOf(bytes: Uint8Array): Promise<string> {
  const path = join(await tempDir(), 'source.bin')
  await writeFile(path, bytes)
  return path
}

test('ranges of any length and offset hash to what their bytes hash to', async () => {
  const bytes = randomBytes(3 * MIB + 17)
  const path = await fileOf(bytes)
  const hasher = await createTestHasher(2)
  const ranges: [number, number][] = [
    [0, 0],
    [0, 1],
    [5, MIB],
    [1, MIB + 1],
    [MIB, 2 * MIB],
    [0, bytes.length],
    [bytes.length, 0],
  ]
  const hashed = await Promise.all(
    ranges.map(([offset, length]) =>
      Promise.all([hasher.md5(path, offset, length, signal), hasher.crc32(path, offset, length, signal)]),
    ),
  )
  const expected = ranges.map(([offset, length]) => bytes.subarray(offset, offset + length))
  expect(hashed).toEqual(expected.map((part) => [md5(part), crc32(part)]))
})

test('a file that ends too early is told apart from one that is missing', async () => {
  const path = await fileOf(randomBytes(10))
  const hasher = await createTestHasher()
  await expect(hasher.md5(path, 0, 11, signal)).rejects.toMatchObject({ code: 'ESHORTREAD' })
  await expect(hasher.md5(`${path}.gone`, 0, 1, signal)).rejects.toMatchObject({ code: 'ENOENT' })
  await expect(hasher.md5(path, 0, 10, signal)).resolves.toHaveLength(32)
})

test('canceling one range, running or waiting, doesn’t affect the others', async () => {
  const bytes = randomBytes(8 * MIB)
  const path = await fileOf(bytes)
  const hasher = await createTestHasher(1)
  const controller = new AbortController()
  const running = hasher.md5(path, 0, bytes.length, controller.signal)
  const waiting = hasher.md5(path, 0, bytes.length, controller.signal)
  const other = hasher.md5(path, 0, bytes.length, signal)
  controller.abort('pause')
  await expect(running).rejects.toBe('pause')
  await expect(waiting).rejects.toBe('pause')
  await expect(hasher.md5(path, 0, 1, controller.signal)).rejects.toBe('pause')
  await expect(other).resolves.toBe(md5(bytes))
})

test('a range is read once, into borrowed memory, and hashed on the way', async () => {
  const bytes = randomBytes(100_000)
  const path = await fileOf(bytes)
  const hasher = await createTestHasher(2)
  const readings = [0, 1, 2].map((offset) => hasher.read(path, offset, 90_000))
  const hashes = readings.map(async (reading, offset) => {
    const read: Buffer[] = []
    let block = new SharedArrayBuffer(40_000)
    for (let md5OfAll: string | null = null; md5OfAll === null;) {
      const answer = await reading.next(block, signal)
      read.push(Buffer.from(answer.bytes))
      block = answer.bytes.buffer
      md5OfAll = answer.md5
      if (md5OfAll !== null) expect(md5OfAll).toBe(md5(bytes.subarray(offset, offset + 90_000)))
    }
    expect(Buffer.concat(read)).toEqual(bytes.subarray(offset, offset + 90_000))
  })
  await Promise.all(hashes)
  const short = hasher.read(path, 50_000, 60_000)
  await expect(short.next(new SharedArrayBuffer(64_000), signal)).rejects.toMatchObject({ code: 'ESHORTREAD' })
  const left = hasher.read(path, 0, 90_000)
  await left.next(new SharedArrayBuffer(64), signal)
  await left.end()
  await expect(hasher.md5(path, 0, 1, signal)).resolves.toBe(md5(bytes.subarray(0, 1)))
})

test('of readings side by side one that is left, one that fails and one that is given up leave the others right', async () => {
  const bytes = randomBytes(4 * MIB + 5)
  const path = await fileOf(bytes)
  const hasher = await createTestHasher(1)
  const partBytes = 256 * 1024 + 3
  const readAll = async (offset: number): Promise<string | null> => {
    const reading = hasher.read(path, offset, partBytes)
    // Two blocks at a time, of which the second is asked for before the first has come.
    const blocks = Array.from({ length: Math.ceil(partBytes / 65_536) }, () =>
      reading.next(new SharedArrayBuffer(65_536), signal),
    )
    return (await Promise.all(blocks)).at(-1)?.md5 ?? null
  }
  const left = hasher.read(path, 0, MIB)
  const leaving = left.next(new SharedArrayBuffer(65_536), signal).then(() => left.end())
  const gone = hasher.read(`${path}.gone`, 0, MIB).next(new SharedArrayBuffer(65_536), signal)
  const short = hasher.md5(path, 3 * MIB, 2 * MIB, signal)
  const controller = new AbortController()
  const givenUp = hasher.md5(path, 0, bytes.length, controller.signal)
  const offsets = Array.from({ length: 20 }, (_, index) => index * 101)
  const hashes = Promise.all(offsets.map(readAll))
  controller.abort('pause')
  await expect(givenUp).rejects.toBe('pause')
  await expect(gone).rejects.toMatchObject({ code: 'ENOENT' })
  await expect(short).rejects.toMatchObject({ code: 'ESHORTREAD' })
  await leaving
  expect(await hashes).toEqual(offsets.map((offset) => md5(bytes.subarray(offset, offset + partBytes))))
})

/** How many descriptors of this process lead to a file. */
async function openFiles(path: string): Promise<number> {
  const folder = '/proc/self/fd'
  const targets = (await readdir(folder)).map((fd) => readlink(join(folder, fd)).catch(() => null))
  return (await Promise.all(targets)).filter((target) => target === path).length
}

test.runIf(process.platform === 'linux')(
  'readings that are given up while their last blocks wait for a thread leave no file open',
  async () => {
    const blockBytes = 65_536
    const path = await fileOf(randomBytes(2 * blockBytes))
    const hasher = await createTestHasher(1)
    const controller = new AbortController()
    setMaxListeners(0, controller.signal)
    // More than a thread answers side by side.
    const readings = Array.from({ length: 40 }, () => hasher.read(path, 0, 2 * blockBytes))
    const ask = () => readings.map((reading) => reading.next(new SharedArrayBuffer(blockBytes), controller.signal))
    await Promise.all(ask())
    expect(await openFiles(path)).toBe(readings.length)
    const last = Promise.allSettled(ask())
    controller.abort('pause')
    await last
    await Promise.all(readings.map((reading) => reading.end()))
    await expect.poll(() => openFiles(path)).toBe(0)
  },
)

test('closing rejects what waits and what runs', async () => {
  const path = await fileOf(randomBytes(8 * MIB))
  const hasher = await createTestHasher(1)
  const outcomes = Promise.allSettled([hasher.md5(path, 0, 8 * MIB, signal), hasher.md5(path, 0, 8 * MIB, signal)])
  await hasher.close()
  expect((await outcomes).map((outcome) => outcome.status)).toEqual(['rejected', 'rejected'])
})

// Opening a pipe waits until somebody writes to it, as a file of a share does that is away.
test.runIf(process.platform === 'linux')('a volume that hangs holds up no reading of another', async () => {
  const share = await mkdtemp('/dev/shm/sluice-test-')
  onTestFinished(() => rm(share, { recursive: true }))
  const pipe = join(share, 'away.bin')
  execFileSync('mkfifo', [pipe])
  const bytes = randomBytes(MIB)
  const path = await fileOf(bytes)
  const hasher = await createTestHasher(1)
  const away = hasher.read(pipe, 0, MIB)
  const next = away.next(new SharedArrayBuffer(MIB), signal)
  const outcome = next.then(
    () => 'read',
    () => 'failed',
  )
  expect(await hasher.md5(path, 0, MIB, signal)).toBe(md5(bytes))
  const { md5: proof } = await hasher.read(path, 0, MIB).next(new SharedArrayBuffer(MIB), signal)
  expect(proof).toBe(md5(bytes))
  expect(await Promise.race([outcome, Promise.resolve('waits')])).toBe('waits')
  // Waits for the reader in its turn.
  const writer = await open(pipe, 'w')
  await writer.close()
  expect(await outcome).toBe('failed')
})
