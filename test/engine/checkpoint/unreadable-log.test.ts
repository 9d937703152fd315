import { copyFile, readdir } from 'node:fs/promises'
import type * as fs from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { openCheckpointStore } from '../../../electron/engine/checkpoint/sqlite-checkpoint-store.ts'
import { createFakeClock } from '../../support/fakes/fake-clock.ts'
import { uploadRecord } from '../../support/fakes/records.ts'
import { systemError } from '../../support/fakes/simulated-disk.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'

const SECTOR_BYTES = 4096
const drive = vi.hoisted(() => ({ wornAt: -1, failures: 0 }))

/** A drive that can't read one sector of a log. */
vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof fs>()
  const read = (file: fs.FileHandle) => {
    const readAt = file.read.bind(file) as (...given: unknown[]) => Promise<unknown>
    return async (block: Uint8Array, offset: number, length: number, at: number) => {
      if (at >= drive.wornAt + SECTOR_BYTES || at + length <= drive.wornAt) return readAt(block, offset, length, at)
      drive.failures += 1
      throw systemError('EIO', 'read')
    }
  }
  const isWorn = (path: unknown) => String(path).endsWith('-wal') && drive.wornAt >= 0
  return {
    ...real,
    async readFile(...given: Parameters<typeof fs.readFile>) {
      if (isWorn(given[0])) throw systemError('EIO', 'read')
      return real.readFile(...given)
    },
    async open(...given: Parameters<typeof fs.open>) {
      const file = await real.open(...given)
      return isWorn(given[0]) ? Object.assign(file, { read: read(file) }) : file
    },
  }
})

test.each([0, 40 * SECTOR_BYTES])(
  'what stands in the log beside a sector that can’t be read is kept: %i',
  async (at) => {
    const path = join(await tempDir(), 'transfers.db')
    drive.wornAt = -1
    const killed = await openCheckpointStore(path, createFakeClock())
    for (let number = 0; number < 30; number += 1) await killed.insert([uploadRecord({ id: `upload-${number}` })])
    const copy = join(await tempDir(), 'transfers.db')
    for (const companion of ['', '-wal']) await copyFile(path + companion, copy + companion)
    await killed.close()
    Object.assign(drive, { wornAt: at, failures: 0 })
    const store = await openCheckpointStore(copy, createFakeClock())
    expect(drive.failures).toBeGreaterThan(0)
    expect([(await store.load()).records.length, store.damage?.isWhole]).toEqual([30, false])
    await store.close()
  },
)

test('a list that another Sluice has open is left where it is, whatever its log looks like', async () => {
  const path = join(await tempDir(), 'transfers.db')
  drive.wornAt = -1
  const first = await openCheckpointStore(path, createFakeClock())
  await first.insert([uploadRecord({ id: 'a' })])
  Object.assign(drive, { wornAt: 0, failures: 0 })
  await expect(openCheckpointStore(path, createFakeClock())).rejects.toMatchObject({ code: 'in-use' })
  expect((await readdir(dirname(path))).toSorted()).toEqual(['transfers.db', 'transfers.db-wal'])
  await first.insert([uploadRecord({ id: 'b' })])
  await first.close()
  drive.wornAt = -1
  const again = await openCheckpointStore(path, createFakeClock())
  expect([again.damage, (await again.load()).records.map(({ id }) => id)]).toEqual([null, ['a', 'b']])
  await again.close()
})
