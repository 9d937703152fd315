import { copyFile, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openCheckpointStore } from '../../../electron/engine/checkpoint/sqlite-checkpoint-store.ts'
import { createFakeClock } from '../../support/fakes/fake-clock.ts'
import { downloadRecord, uploadRecord } from '../../support/fakes/records.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'

/** SQLite, Database File Format, 4. */
const HEADER_BYTES = 32
const FRAME_HEADER_BYTES = 24
const FRAME_BYTES = FRAME_HEADER_BYTES + 4096
const clock = createFakeClock()
const EARLIER = ['earlier-0', 'earlier-1', 'earlier-2']
const LATER = Array.from({ length: 6 }, (_, number) => `later-${number}`)

/** A list and its log of changes as a program that was killed leaves them. */
interface Killed {
  readonly main: Buffer
  readonly log: Buffer
  /** Where each transaction of the log ends, and how many of the later transfers are on the list then. */
  readonly commits: readonly { readonly end: number; readonly later: number }[]
}

async function killedList(): Promise<Killed> {
  const path = join(await tempDir(), 'transfers.db')
  const first = await openCheckpointStore(path, clock)
  await first.insert(EARLIER.map((id, position) => uploadRecord({ id, position })))
  await first.close()
  const store = await openCheckpointStore(path, clock)
  const main = await readFile(path)
  const logNow = () => readFile(`${path}-wal`)
  const commits = [{ end: (await logNow()).length, later: 0 }]
  for (const [index, id] of LATER.entries()) {
    await store.insert([uploadRecord({ id, position: 10 + index })])
    commits.push({ end: (await logNow()).length, later: index + 1 })
  }
  const log = await logNow()
  expect((await readFile(path)).equals(main)).toBe(true)
  await store.close()
  return { main, log, commits }
}

/** What the next start finds with this log, and what the one after that does. */
async function openWith(main: Buffer, log: Buffer) {
  const folder = await tempDir()
  const path = join(folder, 'transfers.db')
  await Promise.all([writeFile(path, main), writeFile(`${path}-wal`, log)])
  const store = await openCheckpointStore(path, clock)
  const { records, setAside } = await store.load()
  const { damage } = store
  const kept = damage === null ? null : await Promise.all(['', '-wal'].map((end) => readFile(damage.keptAs + end)))
  await store.close()
  const again = await openCheckpointStore(path, clock)
  expect([again.damage, await again.load()]).toEqual([null, { records, setAside }])
  await again.close()
  expect(setAside).toBe(0)
  return { ids: records.map(({ id }) => id), damage, kept, folder }
}

function changed(log: Buffer, at: number, length: number, mask: number): Buffer {
  const copy = Buffer.from(log)
  for (let byte = at; byte < Math.min(at + length, copy.length); byte += 1) copy[byte] = (copy[byte] ?? 0) ^ mask
  return copy
}

/** Bytes of the log’s header, of those of frames, and of pages. */
function places(log: Buffer): readonly number[] {
  return Array.from(log.keys()).filter((at) => {
    const inFrame = (at - HEADER_BYTES) % FRAME_BYTES
    const isHeader = at < HEADER_BYTES || inFrame < FRAME_HEADER_BYTES
    return isHeader ? at % 5 === 0 : inFrame % 1511 === 0
  })
}

/** What has to be there, and said, although the byte at `at` is damaged. */
function expectNothingSilent({ commits }: Killed, at: number, found: Awaited<ReturnType<typeof openWith>>): void {
  const { ids, damage } = found
  const hit = at < HEADER_BYTES ? 0 : commits.findIndex(({ end }) => at < end)
  expect([at, EARLIER.filter((id) => !ids.includes(id))]).toEqual([at, []])
  const later = ids.filter((id) => id.startsWith('later'))
  const is = { at, later, isTold: damage !== null }
  if (hit < commits.length - 2) expect(is).toEqual({ at, later: LATER, isTold: true })
  // What is damaged at the very end may be what a power cut left: all that SQLite can tell is where the sound part ends.
  else if (damage === null) expect(is).toEqual({ at, later: LATER.slice(0, later.length), isTold: false })
  else expect(is).toEqual({ at, later: LATER, isTold: true })
}

describe('a log of changes that is damaged in the middle', () => {
  test(
    'loses nothing that stands behind a flipped bit, and says that it was damaged',
    { timeout: 240_000 },
    async () => {
      const killed = await killedList()
      const { main, log } = killed
      for (const at of places(log))
        expectNothingSilent(killed, at, await openWith(main, changed(log, at, 1, 1 << (at % 8))))
    },
  )

  test('loses nothing that stands behind a sector of zeros or of other bytes', async () => {
    const { main, log, commits } = await killedList()
    for (let at = 0; at < log.length; at += 1536) {
      const zeros = Buffer.from(log).fill(0, at, at + 512)
      for (const damaged of [zeros, changed(log, at, 512, 0x5a)]) {
        const { ids } = await openWith(main, damaged)
        // It may hit two frames, and hide the sums that a third goes on from.
        const isEnd = at + 512 > (commits.at(-4)?.end ?? 0)
        if (!isEnd) expect([at, ids]).toEqual([at, [...EARLIER, ...LATER]])
      }
    }
  })

  test('is kept as it was, with the list', async () => {
    const { main, log, commits } = await killedList()
    const damaged = changed(log, (commits[1]?.end ?? 0) - 100, 1, 0x10)
    const { kept, damage, folder } = await openWith(main, damaged)
    expect(damage).toMatchObject({ transfers: EARLIER.length + LATER.length, isWhole: false })
    expect([kept?.[0]?.equals(main), kept?.[1]?.equals(damaged)]).toEqual([true, true])
    expect((await readdir(folder)).length).toBe(3)
  })

  test('says nothing where the end is all that is damaged, as after a power cut', async () => {
    const { main, log } = await killedList()
    const { ids, damage } = await openWith(main, changed(log, log.length - 2000, 1, 0x10))
    expect([ids, damage]).toEqual([[...EARLIER, ...LATER.slice(0, -1)], null])
  })
})

test('claims of before the damage don’t count for a transfer of which something came after it', async () => {
  const path = join(await tempDir(), 'transfers.db')
  const first = await openCheckpointStore(path, clock)
  const version = (etag: string) => ({ sizeBytes: 2 ** 33, etag, lastModified: null })
  const range = { start: 0, end: 2 ** 20, crc32: 7 }
  await first.insert(
    ['changed', 'other'].map((id) => downloadRecord({ id, identity: version('old'), status: 'running' })),
  )
  // On a page of its own.
  await first.insert(Array.from({ length: 40 }, (_, at) => downloadRecord({ id: `other-${at}` })))
  for (const id of ['changed', 'other']) await first.putRanges(id, [range])
  await first.close()

  const store = await openCheckpointStore(path, clock)
  const before = (await readFile(`${path}-wal`)).length
  await store.removeRanges('changed', 'all')
  const after = (await readFile(`${path}-wal`)).length
  await store.update('changed', { identity: version('new') })
  for (const status of ['paused', 'queued', 'running'] as const) await store.update('changed', { status })
  const copy = join(await tempDir(), 'transfers.db')
  for (const end of ['', '-wal']) await copyFile(path + end, copy + end)
  await store.close()
  const log = await readFile(`${copy}-wal`)
  await writeFile(`${copy}-wal`, log.fill(0, before, after))

  const opened = await openCheckpointStore(copy, clock)
  expect(opened.damage).toMatchObject({ transfers: 42, isWhole: false })
  const { records } = await opened.load()
  expect(records.find(({ id }) => id === 'changed')).toMatchObject({ identity: version('new'), status: 'running' })
  expect([await opened.ranges('changed'), await opened.ranges('other-7')]).toEqual([[], []])
  await opened.close()
})
