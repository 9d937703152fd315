import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openKeptValues, openTransfers } from '../../electron/services/index.ts'
import { giveObject } from '../support/servers/object-server.ts'
import { startScript } from '../support/servers/scripted-server.ts'
import { whenHolds } from '../support/tools/when-holds.ts'
import { tempDir } from '../support/tools/temp-dir.ts'

it('goes on with what a locked keyring stopped when the app starts with an open one', async () => {
  const content = randomBytes(100_000)
  const server = await startScript([giveObject(content)])
  const folder = await tempDir()
  const targetPath = join(folder, 'film.mov')
  let isLocked = false
  const credentials = {
    state: () => (isLocked ? ('locked' as const) : ('ready' as const)),
    seal: (secret: string) => (isLocked ? null : Buffer.from(secret).toString('base64')),
    open: (sealed: string) => (isLocked ? null : Buffer.from(sealed, 'base64').toString()),
  }
  const start = async () => {
    const opened = await openTransfers(join(folder, 'user-data'), {
      kept: await openKeptValues(join(folder, 'user-data', 'state', 'values')),
      credentials,
      session: { resolveProxy: () => Promise.resolve('DIRECT') },
      startDemo: () => Promise.reject(new Error('It is of no use here')),
      onError: (what, error) => expect.unreachable(`${what}: ${String(error)}`),
    })
    const transfers = { ...opened, ...(await opened.load()) }
    onTestFinished(transfers.close)
    const ends = (status: string) =>
      whenHolds(() => expect(transfers.engine.snapshot().rows[0]).toMatchObject({ status }))
    return { ...transfers, ends }
  }

  const first = await start()
  const location = first.places.locateLink(`${server.endpoint.replace('//', '//ann:hidden@')}/film.mov`)
  isLocked = true
  await first.engine.enqueueDownloads([{ location, key: 'film.mov', targetPath, onConflict: 'fail' }])
  await first.ends('failed')
  await first.close()
  expect(server.requests).toEqual([])

  isLocked = false
  const second = await start()
  await second.ends('completed')
  expect((await readFile(targetPath)).equals(content)).toBe(true)
})
