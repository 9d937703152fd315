import { randomBytes } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, it, onTestFinished } from 'vitest'
import { MIB } from '../../../shared/limits.ts'
import type { NewPlace } from '../../../shared/place/place.ts'
import { startFaultProxy } from '../../support/fault-server/fault-server.ts'
import { startHttpProxy } from '../../support/proxies/http-proxy.ts'
import { startObject } from '../../support/servers/object-server.ts'
import { canary, findCanaries } from '../../support/tools/canaries.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'
import { enqueueLink } from '../../support/window/desk-window.ts'
import { choosePaths, launchSluice } from '../../support/window/electron-app.ts'

const SIZE_BYTES = 24 * MIB

/** Everything a person can enter that is secret, and where it leads. */
async function createWorld() {
  const folder = await tempDir()
  const directory = join(folder, 'downloads')
  await mkdir(directory)
  const secrets = {
    'secret key': canary('key'),
    'session token': canary('token'),
    'link signature': canary('signature'),
    'link password': canary('password'),
    'proxy password': canary('proxy'),
  }
  const service = await startFaultProxy({ target: (await startObject(randomBytes(SIZE_BYTES))).endpoint })
  onTestFinished(() => service.close())
  const signIn = { user: 'ann', password: secrets['proxy password'] }
  const proxy = await startHttpProxy({ signIn, hosts: { 'store.invalid': new URL(service.endpoint).host } })
  const place: NewPlace = {
    ...{ name: 'Studio', endpoint: 'http://store.invalid', bucket: 'demo', dialect: 's3', pathStyle: true },
    ...{ scheme: 'STORAGE', signature: 'hmac-sha256', region: 'us-east-1', profile: '', preset: 's3', color: 'none' },
    ...{ accessKeyId: 'AK', secretAccessKey: secrets['secret key'], sessionToken: secrets['session token'] },
  }
  const settings = { mode: 'manual', host: '127.0.0.1', port: proxy.port, exempt: '', ...signIn } as const
  const host = `joe:${encodeURIComponent(secrets['link password'])}@store.invalid`
  const link = `http://${host}/demo/link.mov?X-Amz-Signature=${encodeURIComponent(secrets['link signature'])}`
  const movedBytes = (name: string) =>
    service.requests({ path: name }).reduce((sum, { responseBytes }) => sum + responseBytes, 0)
  return { folder, directory, secrets, service, place, settings, link, movedBytes }
}

const rowsOf = (page: Page) =>
  page.evaluate(async () => {
    const reply = await window.sluice.invoke('queue:snapshot', null)
    return reply.ok ? reply.value.rows.map(({ id, status, placeId }) => ({ id, status, placeId })) : []
  })

it('writes no secret down: under way, killed, done and removed', async () => {
  const { folder, directory, secrets, service, place, settings, link, movedBytes } = await createWorld()
  const userDataDir = join(folder, 'user-data')
  const slow = service.rule({ fault: { kind: 'limit', bytesPerSecond: 2 * MIB } })
  const first = await launchSluice({ userDataDir })
  await choosePaths(first, directory)
  await first.page.evaluate(
    async ([proxy, studio, folderPath]) => {
      await window.sluice.invoke('network:set-proxy', proxy)
      const added = await window.sluice.invoke('places:add', studio)
      if (!added.ok) throw new Error(added.error.code)
      const placeId = added.value.id
      const to = { directory: folderPath, onConflict: 'keep-both' } as const
      const object = { kind: 'objects', placeId, keys: ['key.mov'] } as const
      await window.sluice.invoke('downloads:enqueue', { ...to, source: object })
    },
    [settings, place, directory] as const,
  )
  await enqueueLink(first.page, link, directory)
  for (const name of ['key.mov', 'link.mov']) await expect.poll(() => movedBytes(name)).toBeGreaterThan(6 * MIB)
  await first.kill()
  const seen: string[] = []
  const found = await findCanaries(secrets, [folder], seen)
  // Without a keyring a link is kept as it is until its transfer is over.
  const isKeptLink = (each: string) => /^link signature in .*transfers\.db(-wal)?$/.test(each)
  expect(found.filter((each) => !isKeptLink(each))).toEqual([])
  for (const kind of [/transfers\.db-wal$/, /\.part$/, /values/]) {
    expect(seen.some((path) => kind.test(path))).toBe(true)
  }

  slow.remove()
  const second = await launchSluice({ userDataDir })
  onTestFinished(second.close)
  const { page } = second
  // What was kept in memory is entered again.
  await page.evaluate((proxy) => window.sluice.invoke('network:set-proxy', proxy), settings)
  for (const { id, placeId } of await rowsOf(page)) {
    await page.evaluate(
      async ([row, ofPlace, studio, url]) => {
        if (ofPlace === null) await window.sluice.invoke('downloads:relink', { id: row, url })
        else await window.sluice.invoke('places:edit', { id: ofPlace, place: studio })
        await window.sluice.invoke('transfers:retry', { ids: [row] })
      },
      [id, placeId, place, link] as const,
    )
  }
  await expect.poll(async () => (await rowsOf(page)).map(({ status }) => status)).toEqual(['completed', 'completed'])
  expect(await findCanaries(secrets, [folder])).toEqual([])
  await page.evaluate(() => window.sluice.invoke('transfers:remove', { ids: 'all' }))
  await second.close()
  expect(await findCanaries(secrets, [folder])).toEqual([])
})
