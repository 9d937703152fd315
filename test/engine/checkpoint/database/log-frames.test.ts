import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { surveyLog } from '../../../../electron/engine/checkpoint/database/log-frames.ts'
import { openSqlite } from '../../../../electron/sqlite/connection.ts'
import { tempDir } from '../../../support/tools/temp-dir.ts'

/** SQLite, Database File Format, 4. */
const HEADER_BYTES = 32
const FRAME_BYTES = 24 + 4096

/** A log of so many transactions of one page each. */
async function logOf(transactions: number): Promise<Buffer> {
  const path = join(await tempDir(), 'list.db')
  const database = openSqlite(path)
  await database.exec('CREATE TABLE lines (line TEXT); PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL')
  for (let line = 0; line < transactions; line += 1)
    await database.exec('INSERT INTO lines VALUES (hex(randomblob(20)))')
  const log = await readFile(`${path}-wal`)
  database.close()
  return log
}

test('finds all transactions of a log, and each flipped bit before the last two', async () => {
  const log = await logOf(5)
  expect(log.length).toBe(HEADER_BYTES + 5 * FRAME_BYTES)
  const path = join(await tempDir(), 'log')
  await writeFile(path, log)
  expect(await surveyLog(path)).toEqual({ confirmedFrames: 5, isWhole: true })
  for (let at = 0; at < log.length; at += at < HEADER_BYTES + 24 ? 1 : 23) {
    const damaged = Buffer.from(log)
    damaged.writeUInt8(log.readUInt8(at) ^ (1 << (at % 8)), at)
    await writeFile(path, damaged)
    const hit = Math.floor((at - HEADER_BYTES) / FRAME_BYTES)
    const expected = hit < 3 ? { confirmedFrames: 5, isWhole: false } : { confirmedFrames: hit, isWhole: true }
    expect([at, await surveyLog(path)]).toEqual([at, expected])
  }
})

test('takes what a shorter log left behind it for no part of it', async () => {
  const [longer, shorter] = [await logOf(6), await logOf(2)]
  const path = join(await tempDir(), 'log')
  await writeFile(path, Buffer.concat([shorter, longer.subarray(shorter.length)]))
  expect(await surveyLog(path)).toEqual({ confirmedFrames: 2, isWhole: true })
})

test.each([0, 1, HEADER_BYTES - 1, HEADER_BYTES, HEADER_BYTES + 100])('is whole when it has %i bytes', async (size) => {
  const path = join(await tempDir(), 'log')
  for (const log of [Buffer.alloc(size), (await logOf(1)).subarray(0, size)]) {
    await writeFile(path, log)
    expect(await surveyLog(path)).toEqual({ confirmedFrames: 0, isWhole: true })
  }
})
