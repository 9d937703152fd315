import { writeFile } from 'node:fs/promises'
import { join, parse } from 'node:path'
import { expect, test } from 'vitest'
import { COMPLETED, createEngineWorld, download, OPTIONS, statuses, upload } from '../../support/worlds/engine-world.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'

const MANY = { activeTransfers: 5, connectionsPerTransfer: null }
/** Uploads of files on the drive that is mounted at `folder`. */
const from = (folder: string, keys: readonly string[]) =>
  keys.map((key) => ({ ...upload(key), sourcePath: join(parse(process.cwd()).root, folder, 'me', key) }))
/** A line is looked at again after this long, milliseconds. */
const SOON_MS = 250

test('on a line that is not known to be wide a third large upload waits for one of the first to end', async () => {
  const world = await createEngineWorld(MANY)
  await world.engine.enqueueUploads(['a', 'b', 'c'].map(upload))
  const first = await world.runs.next()
  await world.clock.advance(SOON_MS)
  expect(statuses(world)).toEqual(['a preparing', 'b preparing', 'c queued'])
  first.end(COMPLETED)
  await world.runs.next()
  expect((await world.runs.next()).context.record.key).toBe('c')
})

test('a small file passes large ones, and downloads do not wait for uploads', async () => {
  const world = await createEngineWorld(MANY)
  const sourcePath = join(await tempDir(), 'small')
  await writeFile(sourcePath, Buffer.alloc(1000))
  await world.engine.enqueueUploads([...['a', 'b', 'c'].map(upload), { ...upload('small'), sourcePath }])
  await world.engine.enqueueDownloads([download('d')])
  await expect
    .poll(async () => {
      await world.clock.advance(SOON_MS)
      return statuses(world)
    })
    .toEqual(['a preparing', 'b preparing', 'c queued', 'small preparing', 'd preparing'])
})

test('one that waits for the network makes room', async () => {
  const world = await createEngineWorld(MANY)
  await world.engine.enqueueUploads(['a', 'b', 'c'].map(upload))
  const first = await world.runs.next()
  first.context.report.waiting({ reason: 'network', retryAtMs: null, attempt: 1 })
  await world.clock.advance(SOON_MS)
  expect(statuses(world)).toEqual(['a waiting', 'b preparing', 'c preparing'])
})

test('where a person says how many connections, as many run as they say', async () => {
  const world = await createEngineWorld({ ...MANY, connectionsPerTransfer: OPTIONS.connectionsPerTransfer })
  await world.engine.enqueueUploads(['a', 'b', 'c'].map(upload))
  await world.runs.next()
  expect(statuses(world)).toEqual(['a preparing', 'b preparing', 'c preparing'])
})

test.each(['source-missing', 'drive-unresponsive'] as const)(
  'uploads that wait for a drive (%s) are in the way of nothing that is elsewhere',
  async (reason) => {
    const world = await createEngineWorld({ ...MANY, activeTransfers: 2, connectionsPerTransfer: 1 })
    await world.engine.enqueueUploads([...from('media', ['a', 'b', 'c']), ...from('home', ['d', 'e', 'f'])])
    const first = await world.runs.next()
    const second = await world.runs.next()
    expect(statuses(world)).toEqual([
      'a preparing',
      'b preparing',
      ...['c', 'd', 'e', 'f'].map((key) => `${key} queued`),
    ])
    for (const { context } of [first, second]) context.report.waiting({ reason, retryAtMs: null, attempt: 1 })
    await world.runs.next()
    await world.runs.next()
    expect(statuses(world)).toEqual([
      ...['a waiting', 'b waiting', 'c queued'],
      ...['d preparing', 'e preparing', 'f queued'],
    ])
    first.context.report.waiting(null)
    second.end(COMPLETED)
    await expect
      .poll(() => statuses(world))
      .toEqual(['a preparing', 'b completed', 'c queued', 'd preparing', 'e preparing', 'f queued'])
  },
)

test('nor are thousands that are queued behind them', async () => {
  const world = await createEngineWorld({ ...MANY, activeTransfers: 1, connectionsPerTransfer: 1 })
  const many = Array.from({ length: 2000 }, (_, index) => String(index))
  await world.engine.enqueueUploads([...from('media', many), ...from('home', ['elsewhere'])])
  const { context } = await world.runs.next()
  context.report.waiting({ reason: 'source-missing', retryAtMs: null, attempt: 1 })
  expect((await world.runs.next()).context.record.key).toBe('elsewhere')
})
