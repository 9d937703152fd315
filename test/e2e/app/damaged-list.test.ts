import { randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, it, onTestFinished } from 'vitest'
import { MIB } from '../../../shared/limits.ts'
import type { NewPlace } from '../../../shared/place/place.ts'
import { startFaultProxy } from '../../support/fault-server/fault-server.ts'
import { startObject } from '../../support/servers/object-server.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'
import { enqueueLink, shot } from '../../support/window/desk-window.ts'
import { dropFiles } from '../../support/window/drop-files.ts'
import { choosePaths, launchSluice } from '../../support/window/electron-app.ts'

const SIZE_BYTES = 24 * MIB

const STUDIO: NewPlace = {
  ...{ name: 'Studio', endpoint: 'http://127.0.0.1:1', bucket: 'media', dialect: 's3', pathStyle: true, region: '' },
  ...{ scheme: 'STORAGE', signature: 'hmac-sha256', accessKeyId: 'AK', secretAccessKey: 'secret', sessionToken: '' },
  ...{ profile: '', preset: 's3', color: 'none' },
}

/** What an app leaves that had a place, a changed setting and a download under way when it ended. */
async function createWorld(end: 'kill' | 'close') {
  const folder = await tempDir()
  const [userDataDir, target] = [join(folder, 'user-data'), join(folder, 'downloads')]
  await mkdir(target)
  const content = randomBytes(SIZE_BYTES)
  const proxy = await startFaultProxy({ target: (await startObject(content)).endpoint })
  onTestFinished(() => proxy.close())
  const slow = proxy.rule({ fault: { kind: 'limit', bytesPerSecond: 2 * MIB } })
  const app = await launchSluice({ userDataDir })
  await choosePaths(app, target)
  await app.page.evaluate(async (studio) => {
    await window.sluice.invoke('places:add', studio)
    await window.sluice.invoke('settings:set', { activeTransfers: 7 })
  }, STUDIO)
  await enqueueLink(app.page, `${proxy.endpoint}/film.mov`, target)
  const movedBytes = () => proxy.requests({}).reduce((sum, { responseBytes }) => sum + responseBytes, 0)
  await expect.poll(movedBytes).toBeGreaterThan(12 * MIB)
  await app[end]()
  await proxy.settled()
  slow.remove()
  const listPath = join(userDataDir, 'state', 'transfers.db')
  return { userDataDir, target, content, listPath, movedBytes }
}

/** The download ends, and what had come before the damage did not come again. */
async function endsWithTheRest(
  page: Page,
  { target, content, movedBytes }: Awaited<ReturnType<typeof createWorld>>,
  movedBefore: number,
): Promise<void> {
  await page
    .getByRole('row', { name: /film\.mov/ })
    .filter({ hasText: 'size checked' })
    .waitFor()
  expect(movedBytes() - movedBefore).toBeLessThan(SIZE_BYTES - 4 * MIB)
  expect((await readFile(join(target, 'film.mov'))).equals(content)).toBe(true)
}

it('says that nothing of the list could be read, keeps places and settings, and goes on from the file', async () => {
  const world = await createWorld('kill')
  const { userDataDir, target, listPath, movedBytes } = world
  for (const path of [listPath, `${listPath}-wal`]) await writeFile(path, randomBytes((await stat(path)).size))
  const { page, close } = await launchSluice({ userDataDir })
  onTestFinished(close)
  const notice = page.getByText('The list of transfers was damaged, and none of it could be read.')
  await notice.waitFor()
  expect(await notice.textContent()).toContain(
    'Add again what is missing. Places and settings are as they were. The damaged list was kept as ',
  )
  await shot(page, 'list-lost')
  await page.getByRole('button', { name: 'Studio', exact: true }).waitFor()
  expect(await page.evaluate(() => window.sluice.invoke('settings:get', null))).toMatchObject({
    value: { activeTransfers: 7 },
  })

  const before = movedBytes()
  const partial = (await readdir(target)).find((name) => name.endsWith('.part')) ?? ''
  await dropFiles(page, [join(target, partial)])
  await endsWithTheRest(page, world, before)
})

it('says that the list was mended, and goes on with what is in it by itself', async () => {
  const world = await createWorld('close')
  const { userDataDir, listPath, movedBytes } = world
  await writeFile(listPath, (await readFile(listPath)).fill(0, 0, 16))
  const before = movedBytes()
  const { page, close } = await launchSluice({ userDataDir })
  onTestFinished(close)
  const notice = page.getByText('The list of transfers was damaged. It was repaired, and nothing is missing.')
  await notice.waitFor()
  await shot(page, 'list-mended')
  await endsWithTheRest(page, world, before)
})

it('says that the latest changes may be missing where they are damaged, and goes on with what is behind', async () => {
  const world = await createWorld('kill')
  const { userDataDir, listPath, movedBytes } = world
  const log = await readFile(`${listPath}-wal`)
  const at = Math.floor(log.length / 3)
  log.writeUInt8(log.readUInt8(at) ^ 1, at)
  await writeFile(`${listPath}-wal`, log)
  const before = movedBytes()
  const { page, close } = await launchSluice({ userDataDir })
  onTestFinished(close)
  const notice = page.getByText(
    'The list of transfers was damaged. 1 transfer could be read and will go on; others, or the latest changes, may be missing.',
  )
  await notice.waitFor()
  await shot(page, 'list-log-damaged')
  const [, kept = ''] = /The damaged list was kept as (\S+?)\.?$/.exec(String(await notice.textContent()).trim()) ?? []
  expect((await readFile(`${kept}-wal`)).equals(log)).toBe(true)
  await endsWithTheRest(page, world, before)
})

it('says that nothing of the list could be read where its file has lost all of its content', async () => {
  const { userDataDir, listPath } = await createWorld('close')
  await truncate(listPath)
  const { page, close } = await launchSluice({ userDataDir })
  onTestFinished(close)
  const notice = page.getByText('The list of transfers was damaged, and none of it could be read.')
  await notice.waitFor()
  expect(await notice.textContent()).toContain('The damaged list was kept as ')
})

it('says that places and settings could not be read, instead of that they are as they were', async () => {
  const { userDataDir, listPath } = await createWorld('close')
  const values = join(userDataDir, 'state', 'values')
  const damaged = ['places.json', 'settings.json', 'settings.json.old'].map((name) => join(values, name))
  for (const path of [listPath, ...damaged]) await writeFile(path, randomBytes(5000))
  const { page, close } = await launchSluice({ userDataDir })
  onTestFinished(close)
  const notice = page.getByText('The list of transfers was damaged, and none of it could be read.')
  await notice.waitFor()
  const text = String(await notice.textContent())
  expect(text).not.toContain('Places and settings are as they were')
  await page.getByText('Your places couldn’t be read. Add them again. The damaged file was kept in ').waitFor()
  await page.getByText('Your settings couldn’t be read and are the defaults now.').waitFor()
  await shot(page, 'values-lost')
})
