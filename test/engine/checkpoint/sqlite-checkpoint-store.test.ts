import Libsql from 'libsql/promise'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { NO_SEALER } from '../../../electron/engine/checkpoint/tables/link-secrets.ts'
import { MIGRATIONS } from '../../../electron/engine/checkpoint/migrations.ts'
import { openCheckpointStore } from '../../../electron/engine/checkpoint/sqlite-checkpoint-store.ts'
import type { CheckpointStore } from '../../../electron/engine/core/checkpoint-store.ts'
import type { UploadRecord } from '../../../electron/engine/core/records.ts'
import { createFakeClock } from '../../support/fakes/fake-clock.ts'
import { downloadRecord, folderItem, folderRecord, uploadRecord } from '../../support/fakes/records.ts'
import { buildEntry } from '../../support/tools/build-entry.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'

const clock = createFakeClock()

async function tempPath(): Promise<string> {
  return join(await tempDir(), 'queue.db')
}

/** Runs SQL on a database that no store has open, as a bug, a disk or another version would. */
async function collect<T>(values: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const value of values) all.push(value)
  return all
}

async function tamper(path: string, sql: string): Promise<void> {
  const database = new Libsql(path, {})
  await (database.exec(sql) as Promise<void>)
  database.close()
}

async function contentSetAside(path: string): Promise<readonly unknown[]> {
  const database = new Libsql(path, {}) as { prepare(sql: string): Promise<{ all(): Promise<readonly unknown[]> }> }
  return (await database.prepare('SELECT id, content FROM set_aside ORDER BY id')).all()
}

async function fillAndClose(path: string, ...records: Parameters<CheckpointStore['insert']>[0]): Promise<void> {
  const store = await openCheckpointStore(path, clock)
  await store.insert(records)
  await store.close()
}

describe('what is kept', () => {
  test('records come back whole and in queue order', async () => {
    const path = await tempPath()
    const upload = uploadRecord({
      position: 2,
      source: { device: '1', fileId: '18446744073709551615', sizeBytes: 2 ** 40, modifiedNs: '-5', changedNs: '7' },
      plan: { partSizeBytes: 8, partCount: 2 },
      uploadId: 'id',
      intent: {
        expectedEtag: 'e-2',
        sizeBytes: 2 ** 40,
        baseline: { sizeBytes: null, etag: null, lastModified: 'then' },
        parts: [{ partNumber: 1, etag: 'a' }],
        serverTimeMs: 5,
      },
    })
    const download = downloadRecord({
      location: { kind: 'link', url: 'https://example.com/a?b' },
      error: { code: 'disk-full', detail: '', serviceCode: null, httpStatus: 507, requestId: 'r' },
      publishing: { finalPath: '/downloads/ü.tar' },
    })
    await fillAndClose(path, upload, download)
    const reopened = await openCheckpointStore(path, clock)
    expect(await reopened.load()).toEqual({ records: [download, upload], setAside: 0 })
    await reopened.close()
  })

  test('updates set members to null and leave the others alone; removal takes claims along', async () => {
    const store = await openCheckpointStore(await tempPath(), clock)
    await store.insert([uploadRecord({ id: 'a', uploadId: 'x' }), uploadRecord({ id: 'b', position: 2 })])
    await store.putParts('b', [{ partNumber: 1, sizeBytes: 1, etag: 'e', md5: '0'.repeat(32) }])
    await store.update('a', { status: 'paused', uploadId: null })
    await store.update('gone', { status: 'paused' })
    await store.remove(['b'])
    expect((await store.load()).records).toEqual([uploadRecord({ id: 'a', status: 'paused', uploadId: null })])
    expect(await store.parts('b')).toEqual([])
    await store.close()
  })

  test('parts and ranges are replaced by number and start, and removed by them', async () => {
    const store = await openCheckpointStore(await tempPath(), clock)
    const part = (partNumber: number, etag: string) => ({ partNumber, sizeBytes: 9, etag, md5: 'a'.repeat(32) })
    await store.putParts('u', [part(2, 'b'), part(10, 'c'), part(1, 'a')])
    await store.putParts('u', [part(2, 'B')])
    await store.removeParts('u', [1])
    expect(await store.parts('u')).toEqual([part(2, 'B'), part(10, 'c')])
    await store.putRanges('d', [
      { start: 2 ** 42, end: 2 ** 42 + 1, crc32: 0xffff_ffff },
      { start: 0, end: 5, crc32: 0 },
    ])
    await store.removeRanges('d', [0])
    expect(await store.ranges('d')).toEqual([{ start: 2 ** 42, end: 2 ** 42 + 1, crc32: 0xffff_ffff }])
    await store.removeRanges('d', 'all')
    expect(await store.ranges('d')).toEqual([])
    await store.close()
  })

  test('aborts stay due until they are done, values until they are replaced', async () => {
    const path = await tempPath()
    const store = await openCheckpointStore(path, clock)
    const abort = { location: { kind: 'place', placeId: 'p', bucket: 'b' }, key: 'k', uploadId: 'x' } as const
    await store.addAbort(abort)
    await store.addAbort({ ...abort, uploadId: 'y' })
    await store.abortDone('y')
    await store.setValue('settings', '1')
    await store.setValue('settings', '2')
    await store.close()
    const reopened = await openCheckpointStore(path, clock)
    expect(await reopened.abortsDue()).toEqual([abort])
    expect([await reopened.getValue('settings'), await reopened.getValue('other')]).toEqual(['2', null])
    await reopened.close()
  })

  test('a change that fails does not take its neighbors of the same commit along', async () => {
    const store = await openCheckpointStore(await tempPath(), clock)
    const outcomes = await Promise.allSettled([
      store.insert([uploadRecord({ id: 'a' })]),
      store.insert([uploadRecord({ id: 'b', position: 2 })]),
      store.insert([uploadRecord({ id: 'a', position: 3 })]),
      store.update('b', { status: 'paused' }),
    ])
    expect(outcomes.map((outcome) => outcome.status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
    const { records } = await store.load()
    expect(records.map(({ id, status }) => [id, status])).toEqual([
      ['a', 'queued'],
      ['b', 'paused'],
    ])
    await store.close()
  })

  test('20,000 records fit in one insert', async () => {
    const store = await openCheckpointStore(await tempPath(), clock)
    const records: UploadRecord[] = []
    for (let position = 0; position < 20_000; position += 1) {
      records.push(uploadRecord({ id: String(position), position }))
    }
    await store.insert(records)
    const loaded = await store.load()
    expect([loaded.records.length, loaded.records.at(-1)?.id]).toEqual([20_000, '19999'])
    await store.close()
  })
})

describe('what goes wrong', () => {
  test('kill -9 in the middle of writes: all that was told to be on disk is there', async () => {
    const path = await tempPath()
    const child = spawn(process.execPath, [await buildEntry(join(import.meta.dirname, 'writer.child.ts')), path], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let told = 0
    for await (const line of createInterface({ input: child.stdout })) {
      told = Number(line)
      if (told === 200) child.kill('SIGKILL')
    }
    const store = await openCheckpointStore(path, clock)
    expect(store.afterUncleanStop).toBe(true)
    const parts = await store.parts('u')
    const [record] = (await store.load()).records
    const updatedAfter = Number(/\d+/.exec((record as UploadRecord).uploadId ?? '')?.[0])
    expect(told).toBeGreaterThanOrEqual(200)
    expect(updatedAfter).toBeGreaterThanOrEqual(told)
    expect(parts.length).toBeGreaterThanOrEqual(updatedAfter)
    expect(parts.map((part) => part.partNumber)).toEqual(parts.map((_, index) => index + 1))
    await store.close()
  })

  test('a start that is killed while the list is made leaves none that counts as damaged', async () => {
    const entry = await buildEntry(join(import.meta.dirname, 'writer.child.ts'))
    const left = new Set<string>()
    for (let round = 0; round < 8 || !left.has('named'); round += 1) {
      const path = await tempPath()
      const child = spawn(process.execPath, [entry, path], { stdio: 'ignore' })
      const ended = once(child, 'exit')
      await expect
        .poll(
          () =>
            readdir(dirname(path)).then(
              ({ length }) => length,
              () => 0,
            ),
          { interval: 1 },
        )
        .toBeGreaterThan(0)
      await delay(2 * round)
      child.kill('SIGKILL')
      await ended
      const names = await readdir(dirname(path))
      left.add(names.includes(basename(path)) ? 'named' : 'unnamed')
      const store = await openCheckpointStore(path, clock)
      expect([names, store.damage]).toEqual([names, null])
      await store.close()
    }
  })

  test('a stop is clean only after close', async () => {
    const path = await tempPath()
    const first = await openCheckpointStore(path, clock)
    expect(first.afterUncleanStop).toBe(false)
    await first.close()
    const second = await openCheckpointStore(path, clock)
    expect(second.afterUncleanStop).toBe(false)
    await second.close()
    expect(await readdir(join(path, '..'))).toEqual([basename(path)])
  })

  test('a second opener, in this process or another, learns who has it open', async () => {
    const path = await tempPath()
    const store = await openCheckpointStore(path, clock)
    await expect(openCheckpointStore(path, clock)).rejects.toMatchObject({
      code: 'in-use',
      message: expect.stringContaining('Another Sluice is using this folder') as unknown,
    })
    const entry = await buildEntry(join(import.meta.dirname, 'writer.child.ts'))
    const child = spawn(process.execPath, [entry, path], { stdio: ['ignore', 'ignore', 'pipe'] })
    expect(await text(child.stderr)).toContain("code: 'in-use'")
    await store.insert([uploadRecord()])
    await store.close()
  })

  test.each([
    ['no database at all', Buffer.from('garbage '.repeat(4000))],
    ['a good header over garbage', Buffer.concat([Buffer.from('SQLite format 3\0'), Buffer.alloc(9000, 0x5a)])],
  ])('T34: %s is moved aside, and a new list begins', async (_, content) => {
    const path = await tempPath()
    await writeFile(path, content)
    await writeFile(`${path}-wal`, 'wal')
    const store = await openCheckpointStore(path, clock)
    const aside = `${path}.damaged-${String(clock.nowMs())}`
    expect(store).toMatchObject({
      damage: { keptAs: aside, transfers: 0, isWhole: false },
      afterUncleanStop: true,
    })
    expect(await readFile(aside)).toEqual(content)
    expect((await store.load()).records).toEqual([])
    await store.close()
  })

  test('damaged records are counted and set aside with their content; the others load', async () => {
    const path = await tempPath()
    await fillAndClose(path, uploadRecord({ id: 'a' }), uploadRecord({ id: 'b' }), uploadRecord({ id: 'c' }))
    await tamper(
      path,
      `UPDATE transfers SET record = '{"id"' WHERE id = 'a';
       UPDATE transfers SET record = replace(record, '"queued"', '"dreaming"') WHERE id = 'b'`,
    )
    const store = await openCheckpointStore(path, clock)
    // What is no JSON ends a look at the top, whose parts SQLite finds.
    expect(await store.top(10)).toBeNull()
    const loaded = await store.load()
    expect([loaded.records.map((record) => record.id), loaded.setAside]).toEqual([['c'], 2])
    expect((await store.load()).setAside).toBe(0)
    await store.close()
    expect(await contentSetAside(path)).toMatchObject([
      { id: 'a', content: '{"id"' },
      { id: 'b', content: expect.stringContaining('dreaming') as unknown },
    ])
  })
})

describe('other versions', () => {
  const NEXT = [...MIGRATIONS, 'ALTER TABLE aborts ADD COLUMN tries INTEGER NOT NULL DEFAULT 0;']

  test('T60: an older schema is migrated after a copy', async () => {
    const path = await tempPath()
    await fillAndClose(path, uploadRecord())
    const store = await openCheckpointStore(path, clock, NO_SEALER, NEXT)
    expect((await store.load()).records).toEqual([uploadRecord()])
    await store.close()
    const copy = await openCheckpointStore(`${path}.v${String(MIGRATIONS.length)}.bak`, clock)
    expect((await copy.load()).records).toEqual([uploadRecord()])
    await copy.close()
  })

  test('the first schema is migrated, and can then keep the items of folders', async () => {
    const path = await tempPath()
    const first = await openCheckpointStore(path, clock, NO_SEALER, MIGRATIONS.slice(0, 1))
    await first.insert([uploadRecord()])
    await first.close()
    const store = await openCheckpointStore(path, clock)
    expect((await store.load()).records).toEqual([uploadRecord()])
    await store.addItems('folder-1', [folderItem('a'), folderItem('b')])
    await store.addItems('folder-1', [folderItem('a')])
    await store.addItems('folder-2', [folderItem('c')])
    expect(await collect(store.items('folder-1'))).toEqual([[folderItem('a'), folderItem('b')], [folderItem('a')]])
    await store.insert([folderRecord(), downloadRecord({ id: 'inside', folderId: 'folder-1' }), downloadRecord()])
    expect(await store.downloadsOf('folder-1')).toEqual([downloadRecord({ id: 'inside', folderId: 'folder-1' })])
    await store.remove(['folder-1'])
    expect(await collect(store.items('folder-1'))).toEqual([])
    expect(await collect(store.items('folder-2'))).toEqual([[folderItem('c')]])
    await store.close()
  })

  test('the schema before histories is migrated, and can then keep them for as long as their transfers', async () => {
    const path = await tempPath()
    const before = await openCheckpointStore(path, clock, NO_SEALER, MIGRATIONS.slice(0, 3))
    await before.insert([uploadRecord({ id: 'a' }), uploadRecord({ id: 'b', position: 2 })])
    await before.close()
    const store = await openCheckpointStore(path, clock)
    const history = {
      entries: [{ atMs: 1, text: 'Trying again', requestId: 'r', times: 3 }],
      samples: [1, null, 2],
      stepMs: 2000,
      movedBytes: 9,
      activeMs: 3,
      peakBytesPerSecond: 2,
      keptAtMs: 7,
    }
    await store.putHistories(['a', 'b', 'gone'].map((id) => ({ id, history })))
    expect(await store.histories(['a', 'gone'])).toEqual(new Map([['a', history]]))
    await store.remove(['a'])
    await store.putHistories([{ id: 'a', history }])
    expect(await store.histories(['a', 'b'])).toEqual(new Map([['b', history]]))
    await store.close()
    await tamper(path, `UPDATE histories SET history = '{"entries"'`)
    const again = await openCheckpointStore(path, clock)
    expect(await again.histories(['b'])).toEqual(new Map())
    await again.close()
  })

  test('the schema before copies of records is migrated, and the top of its list found', async () => {
    const path = await tempPath()
    const before = await openCheckpointStore(path, clock, NO_SEALER, MIGRATIONS.slice(0, 4))
    const paused = Array.from({ length: 2001 }, (_, at) =>
      uploadRecord({ id: `p${at}`, position: at, status: 'paused' }),
    )
    await before.insert([...paused, uploadRecord({ id: 'bad', position: -1, status: 'failed' })])
    await before.close()
    await tamper(path, `UPDATE transfers SET record = substr(record, 2) WHERE id = 'bad'`)
    const store = await openCheckpointStore(path, clock)
    expect(await store.top(2)).toEqual({
      counts: [{ status: 'paused', count: 2001, record: null }],
      records: paused.slice(0, 2),
    })
    await store.update('p7', { status: 'failed' })
    expect((await store.top(1))?.records.map(({ id }) => id)).toEqual(['p7'])
    expect((await store.load()).setAside).toBe(1)
    await store.close()
  })

  test('a migration that fails leaves the schema and the records as they were', async () => {
    const path = await tempPath()
    await fillAndClose(path, uploadRecord())
    const broken = [...NEXT, 'ALTER TABLE nothing ADD COLUMN x;']
    await expect(openCheckpointStore(path, clock, NO_SEALER, broken)).rejects.toMatchObject({ code: 'unusable' })
    const store = await openCheckpointStore(path, clock)
    expect((await store.load()).records).toEqual([uploadRecord()])
    await store.close()
  })

  test('a disk that is full while a database is made is called that: it can be made later', async () => {
    const path = await tempPath()
    const full = 'PRAGMA max_page_count = 3; CREATE TABLE large AS SELECT zeroblob(100000) AS bytes;'
    const failure: unknown = await openCheckpointStore(path, clock, NO_SEALER, [full]).catch((error: unknown) => error)
    expect(failure).toMatchObject({ code: 'unusable', cause: { code: 'ENOSPC', path: dirname(path) } })
    await fillAndClose(path, downloadRecord())
  })

  test.runIf(process.platform === 'linux')('a folder that can’t be made is no reason to go on trying', async () => {
    await expect(openCheckpointStore('/proc/sluice/state/queue.db', clock)).rejects.toMatchObject({
      info: { code: 'target-unwritable' },
    })
  })

  test('T60: a newer schema is refused and not touched', async () => {
    const path = await tempPath()
    await (await openCheckpointStore(path, clock, NO_SEALER, NEXT)).close()
    const before = await readFile(path)
    await expect(openCheckpointStore(path, clock)).rejects.toMatchObject({ code: 'newer-schema' })
    expect(await readFile(path)).toEqual(before)
    expect(await readdir(join(path, '..'))).toEqual([basename(path)])
  })

  test('a path that can be no database is refused with a sentence', async () => {
    await expect(openCheckpointStore(await tempDir(), clock)).rejects.toMatchObject({ code: 'unusable' })
  })
})

describe('a store that is discarded', () => {
  test('leaves nothing behind, copies included', async () => {
    const path = await tempPath()
    await writeFile(`${path}.v1.bak`, '')
    const store = await openCheckpointStore(path, clock)
    await store.insert([uploadRecord({ id: 'a' })])
    store.discardOnClose()
    await store.close()
    expect(await readdir(dirname(path))).toEqual([])
  })

  test('takes nothing of an opener along that comes while it goes', async () => {
    for (let round = 0; round < 20; round++) {
      const path = await tempPath()
      const store = await openCheckpointStore(path, clock)
      await store.insert([uploadRecord({ id: 'old' })])
      store.discardOnClose()
      const closing = store.close()
      let next: Awaited<ReturnType<typeof openCheckpointStore>> | null = null
      while (next === null) next = await openCheckpointStore(path, clock).catch(() => null)
      await next.insert([uploadRecord({ id: 'new' })])
      await closing
      await next.update('new', { status: 'paused' })
      await next.close()
      const again = await openCheckpointStore(path, clock)
      expect((await again.load()).records.map(({ id, status }) => [id, status])).toEqual([['new', 'paused']])
      await again.close()
    }
  })
})
