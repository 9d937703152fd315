import { randomBytes } from 'node:crypto'
import type * as Dns from 'node:dns'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { MIB } from '../../../shared/limits.ts'
import { createDownloadDesk } from '../../support/window/download-desk.ts'
import { sha256, sha256OfFile } from '../../support/worlds/download-fixture.ts'
import { startBlackHole } from '../../support/servers/black-hole.ts'
import { whenHolds } from '../../support/tools/when-holds.ts'

/** What the name `localhost` leads to. */
const names = vi.hoisted(() => ({ addresses: [''] }))

vi.mock('node:dns', async (original) => ({
  ...(await original<typeof Dns>()),
  lookup(_host: string, _options: object, callback: (failure: null, found: readonly Dns.LookupAddress[]) => void) {
    const found = names.addresses.map((address) => ({ address, family: 4 }))
    setImmediate(callback, null, found)
  },
}))

const SIZE = 10 * MIB + 5

function named(link: string): string {
  return link.replace('127.0.0.1', 'localhost')
}

async function deskWith(bytes: Uint8Array) {
  const desk = await createDownloadDesk()
  await desk.put('key', bytes)
  return { ...desk, link: named(desk.link('key')), port: Number(new URL(desk.proxy.endpoint).port) }
}

test('T53: a server whose first address is dead is reached at another, each range too', async () => {
  const bytes = randomBytes(SIZE)
  const desk = await deskWith(bytes)
  names.addresses = ['127.0.0.2', '127.0.0.3', '127.0.0.1']
  const { download, until, history } = await desk.open()
  const id = await download(desk.link, 'file')
  await until(id, { status: 'completed' })
  expect(await sha256OfFile(join(desk.target, 'file'))).toBe(sha256(bytes))
  expect(history(id)).not.toMatch(/lost|reach|refused/)
})

test('T53: an address that takes no connection is passed over', async () => {
  const bytes = randomBytes(SIZE)
  const desk = await deskWith(bytes)
  await startBlackHole('127.0.0.2', desk.port)
  names.addresses = ['127.0.0.2', '127.0.0.1']
  const { download, until, history } = await desk.open({ engine: { connectionsPerTransfer: 1 } })
  const id = await download(desk.link, 'file')
  await until(id, { status: 'completed' })
  expect(await sha256OfFile(join(desk.target, 'file'))).toBe(sha256(bytes))
  expect(history(id)).not.toMatch(/lost|reach|refused/)
})

test('T53: a server that moves in mid-download is found where it is now, and no kept byte is fetched again', async () => {
  const bytes = randomBytes(SIZE)
  const desk = await deskWith(bytes)
  names.addresses = ['127.0.0.1']
  desk.proxy.rule({ times: 1, fault: { kind: 'stall', at: { responseBytes: 2 * MIB } } })
  const { download, until } = await desk.open({ engine: { connectionsPerTransfer: 1 } })
  const id = await download(desk.link, 'file')
  await whenHolds(() => expect(desk.proxy.log[0]?.faults).toEqual(['stall']))
  const up = await desk.proxy.down()
  await until(id, { status: 'waiting', wait: { reason: 'network' } })
  await up('127.0.0.2')
  names.addresses = ['127.0.0.2']
  await until(id, { status: 'completed' })
  expect(await sha256OfFile(join(desk.target, 'file'))).toBe(sha256(bytes))
  expect(desk.proxy.log.reduce((sum, { responseBytes }) => sum + responseBytes, 0)).toBeLessThanOrEqual(SIZE + 2 * MIB)
})
