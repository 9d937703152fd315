import { copyFile, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import type * as fs from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { fileIdOf, moveAside } from '../../../../electron/engine/checkpoint/database/move-aside.ts'
import { openCheckpointStore } from '../../../../electron/engine/checkpoint/sqlite-checkpoint-store.ts'
import { createFakeClock } from '../../../support/fakes/fake-clock.ts'
import { uploadRecord } from '../../../support/fakes/records.ts'
import { tempDir } from '../../../support/tools/temp-dir.ts'

const PAGE_BYTES = 4096
const IDS = Array.from({ length: 60 }, (_, number) => `upload-${number}`)
const clock = createFakeClock()
const windows = vi.hoisted(() => ({ isOn: false, refused: [] as string[] }))
afterEach(() => {
  windows.isOn = false
})

/** While it is on, files that SQLite has open can’t be moved: the log never can here, the list itself at first. */
vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof fs>()
  return {
    ...real,
    async rename(from: string, to: string) {
      const isLog = from.endsWith('transfers.db-wal')
      const isOpen = windows.isOn && (isLog || (from.endsWith('transfers.db') && !windows.refused.includes(from)))
      if (!isOpen) return real.rename(from, to)
      windows.refused.push(from)
      throw Object.assign(new Error(`EPERM: operation not permitted, rename '${from}'`), { code: 'EPERM' })
    },
  }
})

/** A list as a killed program leaves it, with the second half of its transfers in the log alone. */
async function killedList(): Promise<string> {
  const path = join(await tempDir(), 'transfers.db')
  const first = await openCheckpointStore(path, clock)
  await first.insert(IDS.slice(0, 30).map((id, position) => uploadRecord({ id, position })))
  await first.close()
  const killed = await openCheckpointStore(path, clock)
  for (const [index, id] of IDS.slice(30).entries()) await killed.insert([uploadRecord({ id, position: 30 + index })])
  const copy = join(await tempDir(), 'transfers.db')
  for (const end of ['', '-wal']) await copyFile(path + end, copy + end)
  await killed.close()
  return copy
}

/** Changes a byte in the middle of the file. */
async function damage(path: string): Promise<Buffer> {
  const content = await readFile(path)
  const at = Math.floor(content.length / 2 / PAGE_BYTES) * PAGE_BYTES
  content.writeUInt8(content.readUInt8(at) ^ 0xff, at)
  await writeFile(path, content)
  return content
}

async function opened(path: string) {
  const store = await openCheckpointStore(path, clock)
  const ids = (await store.load()).records.map(({ id }) => id)
  const { keptAs = '' } = store.damage ?? {}
  await store.close()
  return { ids, keptAs }
}

test.each(['', '-wal'])('a damaged list is kept with its log, byte by byte: %s', async (end) => {
  const path = await killedList()
  await damage(path + end)
  const before = await Promise.all(['', '-wal'].map((each) => readFile(path + each)))
  const { ids, keptAs } = await opened(path)
  if (end === '-wal') expect(ids).toEqual(IDS)
  else expect(ids).toEqual(expect.arrayContaining(IDS.slice(31)))
  const kept = await Promise.all(['', '-wal'].map((each) => readFile(keptAs + each)))
  expect(kept.map((content, index) => content.equals(before[index] ?? content.subarray(1)))).toEqual([true, true])
})

test('where open files can’t be moved, the log is copied before SQLite deletes it', async () => {
  const path = await killedList()
  const log = await damage(`${path}-wal`)
  windows.isOn = true
  const { ids, keptAs } = await opened(path)
  expect(windows.refused.map((each) => each.slice(path.length))).toEqual(['-wal', ''])
  expect([ids, (await readFile(`${keptAs}-wal`)).equals(log)]).toEqual([IDS, true])
  expect((await readdir(dirname(path))).length).toBe(3)
})

test('a move that was interrupted behind the log is finished', async () => {
  const path = await killedList()
  await damage(`${path}-wal`)
  await rename(`${path}-wal`, `${path}.damaged-wal`)
  expect((await opened(path)).ids).toEqual(IDS)
})

test('what another process has put in its place meanwhile is not moved', async () => {
  const path = await killedList()
  const fileId = await fileIdOf(path)
  await rename(path, `${path}.elsewhere`)
  await copyFile(`${path}.elsewhere`, path)
  const before = await readdir(dirname(path))
  let closes = 0
  await expect(moveAside(path, fileId, () => (closes += 1))).rejects.toMatchObject({ code: 'in-use' })
  expect([closes, await readdir(dirname(path))]).toEqual([1, before])
})
