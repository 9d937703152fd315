import { randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { MIB } from '../../../shared/limits.ts'
import { sha256, sha256OfFile } from '../../support/worlds/download-fixture.ts'
import { createDownloadDesk, type DownloadDesk, type OpenDesk } from '../../support/window/download-desk.ts'
import { whenHolds } from '../../support/tools/when-holds.ts'

const SIZE = 10 * MIB + 5
const EXPIRED = {
  kind: 'response',
  status: 403,
  body: '<Error><Code>AccessDenied</Code><Message>Request has expired</Message></Error>',
} as const

const sentBytes = (desk: DownloadDesk, path = '') =>
  desk.proxy.requests({ path }).reduce((sum, { responseBytes }) => sum + responseBytes, 0)

/** A download of `original` whose link expires when some bytes are here. */
async function createExpired(bytes: Buffer) {
  const desk = await createDownloadDesk()
  await desk.put('original', bytes)
  const open = await desk.open({ engine: { connectionsPerTransfer: 1 } })
  const old = { path: '/original', query: { signature: 'old' } }
  desk.proxy.rule({ when: old, times: 1, fault: { kind: 'close', at: { responseBytes: 3 * MIB } } })
  desk.proxy.rule({ when: { ...old, test: ({ attempt }) => attempt > 1 }, fault: EXPIRED })
  const id = await open.download(desk.link('original', '?signature=old'), 'file')
  const { confirmedBytes } = await open.until(id, { status: 'failed', error: { code: 'link-expired' } })
  expect(confirmedBytes).toBe(3 * MIB)
  return { desk, open, id }
}

async function expectDone(desk: DownloadDesk, open: OpenDesk, id: string, bytes: Buffer): Promise<void> {
  await open.until(id, { status: 'completed', confirmedBytes: bytes.length })
  expect(await sha256OfFile(join(desk.target, 'file'))).toBe(sha256(bytes))
  expect(await readdir(desk.target)).toEqual(['file'])
}

test('a fresh link goes on where the expired one ended', async () => {
  const bytes = randomBytes(SIZE)
  const { desk, open, id } = await createExpired(bytes)
  expect(await open.engine.relink(id, desk.link('original', '?signature=new'))).toBe(true)
  await expectDone(desk, open, id, bytes)
  expect(sentBytes(desk)).toBeLessThan(SIZE + MIB)
  expect(open.history(id)).toContain('The fresh link leads to the same object')
})

test('a fresh link to another place goes on too, when the object is the same', async () => {
  const bytes = randomBytes(SIZE)
  const { desk, open, id } = await createExpired(bytes)
  await desk.put('mirror', bytes)
  desk.proxy.rule({
    when: { path: '/mirror' },
    fault: { kind: 'headers', set: { 'Last-Modified': 'Tue, 01 Jan 2019 00:00:00 GMT' } },
  })
  expect(await open.engine.relink(id, desk.link('mirror'))).toBe(true)
  await expectDone(desk, open, id, bytes)
  expect(sentBytes(desk)).toBeLessThan(SIZE + MIB)
})

test.each([
  ['of the same size', SIZE],
  ['of another size', 2 * MIB],
])('a link to another object, %s, drops nothing; the right one still goes on', async (_what, size) => {
  const bytes = randomBytes(SIZE)
  const { desk, open, id } = await createExpired(bytes)
  await desk.put('other', randomBytes(size))
  await open.engine.relink(id, desk.link('other'))
  await open.until(id, { status: 'failed', error: { code: 'another-object' }, confirmedBytes: 3 * MIB })
  // Trying again does not wear the caution down.
  await open.engine.retry([id])
  await whenHolds(() => expect(desk.proxy.requests({ path: '/other' }).length).toBeGreaterThan(1))
  await open.until(id, { status: 'failed', error: { code: 'another-object' }, confirmedBytes: 3 * MIB })
  await open.engine.relink(id, desk.link('original', '?signature=new'))
  await expectDone(desk, open, id, bytes)
  expect(sentBytes(desk, '/original')).toBeLessThan(SIZE + MIB)
})

test('a person may have the other object instead', async () => {
  const { desk, open, id } = await createExpired(randomBytes(SIZE))
  const other = randomBytes(2 * MIB)
  await desk.put('other', other)
  await open.engine.relink(id, desk.link('other'))
  await open.until(id, { status: 'failed', error: { code: 'another-object' } })
  await open.engine.startOver([id])
  await expectDone(desk, open, id, other)
})

test('the caution survives a restart before the fresh link has answered', async () => {
  const bytes = randomBytes(SIZE)
  const { desk, open, id } = await createExpired(bytes)
  await desk.put('other', randomBytes(SIZE))
  const up = await desk.proxy.down()
  await open.engine.relink(id, desk.link('other'))
  await open.until(id, { status: 'waiting' })
  await open.engine.close()
  await up()
  const next = await desk.open()
  await next.until(id, { status: 'failed', error: { code: 'another-object' }, confirmedBytes: 3 * MIB })
})

test('a paused, a waiting and a running download take a fresh link as well', async () => {
  const desk = await createDownloadDesk()
  const bytes = randomBytes(SIZE)
  await desk.put('original', bytes)
  const old = { query: { signature: 'old' } }
  const rule = (fault: Parameters<typeof desk.proxy.rule>[0]['fault']) => desk.proxy.rule({ when: old, fault })
  const open = await desk.open({ engine: { activeTransfers: 1 } })
  const begin = async (name: string) => open.download(desk.link('original', `?signature=old&${name}`), name)
  const relink = (id: string) => open.engine.relink(id, desk.link('original', '?signature=new'))

  const stall = rule({ kind: 'stall', at: { responseBytes: MIB } })
  const running = await begin('running')
  await whenHolds(() => expect(desk.proxy.log.at(-1)?.faults).toEqual(['stall']))
  expect(await relink(running)).toBe(true)
  await open.until(running, { status: 'completed' })

  const paused = await begin('paused')
  await whenHolds(() => expect(desk.proxy.log.at(-1)?.faults).toEqual(['stall']))
  await open.engine.pause([paused])
  await open.until(paused, { status: 'paused' })
  expect(await relink(paused)).toBe(true)
  await open.until(paused, { status: 'completed' })
  stall.remove()

  rule({ kind: 'response', status: 503, headers: { 'retry-after': '86400' } })
  const waiting = await begin('waiting')
  await open.until(waiting, { status: 'waiting' })
  expect(await relink(waiting)).toBe(true)
  await open.until(waiting, { status: 'completed' })

  for (const name of ['running', 'paused', 'waiting'])
    expect(await sha256OfFile(join(desk.target, name))).toBe(sha256(bytes))
  expect(await relink(waiting)).toBe(false)
  expect(await relink('no such transfer')).toBe(false)
})
