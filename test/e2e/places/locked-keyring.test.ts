import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { startDemoStore } from '../../../electron/demo-store/index.ts'
import { createStorageStore } from '../../../electron/stores/storage/storage-store.ts'
import { bodyOf, CREDENTIALS, signal } from '../../stores/support/open-store.ts'
import { startHttpProxy } from '../../support/proxies/http-proxy.ts'
import { startScript } from '../../support/servers/scripted-server.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'
import { enqueueLink, reads, shot, transferRow } from '../../support/window/desk-window.ts'
import { choosePaths, launchSluice } from '../../support/window/electron-app.ts'
import { useKeyring } from '../../support/window/keyring.ts'

async function createWorld() {
  const folder = await tempDir()
  const userDataDir = join(folder, 'user-data')
  await mkdir(userDataDir)
  const service = await startDemoStore({
    directory: join(folder, 'store'),
    buckets: ['media'],
    credentials: CREDENTIALS,
  })
  onTestFinished(() => service.close())
  const where = {
    endpoint: service.endpoint,
    bucket: 'media',
    dialect: 'storage',
    pathStyle: true,
    region: '',
  } as const
  const how = { scheme: 'STORAGE', signature: 'hmac-sha1' } as const
  const store = createStorageStore({ ...where, ...how, credentials: CREDENTIALS })
  onTestFinished(() => store.close())
  await store.putObject({ key: 'film.mov', body: bodyOf(Buffer.from('film')), signal })
  const otherwise = { name: 'Studio', sessionToken: '', profile: '', preset: 'storage', color: 'none' } as const
  const sealed = async () =>
    /"sealedSecret":"([^"]+)"/.exec(await readFile(join(userDataDir, 'state', 'values', 'places.json'), 'utf8'))?.[1]
  return { userDataDir, place: { ...where, ...how, ...CREDENTIALS, ...otherwise }, sealed }
}

it('says that the keyring is locked, keeps what it sealed, and opens the place once it is unlocked', async () => {
  const { userDataDir, place, sealed } = await createWorld()
  const first = await launchSluice({ userDataDir })
  await useKeyring(first.app, true)
  await first.page.evaluate((studio) => window.sluice.invoke('places:add', studio), place)
  const before = await sealed()
  expect(Buffer.from(before ?? '', 'base64').toString()).toBe(
    `sealed:${[...CREDENTIALS.secretAccessKey].reverse().join('')}`,
  )
  await first.close()

  const { app, page, close } = await launchSluice({ userDataDir })
  onTestFinished(close)
  await useKeyring(app, false)
  await page.reload()
  await page.getByRole('button', { name: 'Studio', exact: true }).click()
  const view = page.getByRole('region', { name: 'Studio' })
  await view.getByRole('alert').filter({ hasText: 'The keyring with the key of Studio can’t be opened now.' }).waitFor()
  await shot(page, 'keyring-locked')

  // In the form as well; what is changed there leaves the secret as it was sealed.
  await view.getByRole('button', { name: 'Edit place…' }).click()
  const form = page.getByRole('dialog', { name: 'Edit Studio' })
  await form.getByRole('button', { name: 'Unlock keyring…' }).waitFor()
  expect(await form.textContent()).not.toContain('no keyring')
  await shot(page, 'keyring-locked-form')
  await form.getByLabel('Name', { exact: true }).fill('Atelier')
  await form.getByRole('button', { name: 'Save', exact: true }).click()
  await form.waitFor({ state: 'detached' })
  const sidebar = page.getByRole('navigation', { name: 'Sidebar' })
  await sidebar.getByRole('button', { name: 'Atelier', exact: true }).waitFor()
  expect(await sealed()).toBe(before)

  const atelier = page.getByRole('region', { name: 'Atelier' })
  const unlock = atelier.getByRole('button', { name: 'Unlock keyring…' })
  await unlock.click()
  const question = page.getByRole('alertdialog', { name: 'Restart Sluice to unlock the keyring?' })
  await shot(page, 'keyring-restart')
  await question.getByRole('button', { name: 'Not now' }).click()
  await question.waitFor({ state: 'detached' })
  await useKeyring(app, true)
  await unlock.click()
  await atelier.getByRole('row', { name: 'film.mov' }).waitFor()
  expect(await sealed()).toBe(before)
})

it('unlocks the keyring from the form, which keeps what is typed, and saves that', async () => {
  const { userDataDir, place, sealed } = await createWorld()
  const { app, page, close } = await launchSluice({ userDataDir })
  onTestFinished(close)
  await useKeyring(app, false)
  await page.reload()
  await page.getByRole('button', { name: 'Add place' }).first().click()
  const form = page.getByRole('dialog', { name: 'Add place' })
  await form.getByRole('button', { name: /Service$/ }).click()
  await page.getByRole('option', { name: 'Object Storage Service' }).click()
  await form.getByLabel('Bucket', { exact: true }).fill('media')
  await form.getByLabel('Endpoint').fill(place.endpoint)
  await form.getByLabel('Access key ID').fill(CREDENTIALS.accessKeyId)
  await form.getByLabel('Secret key').fill(CREDENTIALS.secretAccessKey)
  const unlock = form.getByRole('button', { name: 'Unlock keyring…' })
  await unlock.waitFor()
  await useKeyring(app, true)
  await unlock.click()
  await unlock.waitFor({ state: 'detached' })
  await form.getByRole('button', { name: 'Save', exact: true }).click()
  await form.waitFor({ state: 'detached' })
  const view = page.getByRole('region', { name: 'media' })
  await view.getByRole('row', { name: 'film.mov' }).waitFor()
  expect(await sealed()).toBeDefined()
})

it('asks no proxy without the password in the keyring, says why, and goes on once it is open', async () => {
  const folder = await tempDir()
  const userDataDir = join(folder, 'user-data')
  const server = await startScript([{ status: 200, headers: { etag: '"e"' }, body: 'content' }])
  const signIn = { user: 'ann', password: 'hidden' }
  const proxy = await startHttpProxy({ signIn, hosts: { 'store.invalid': new URL(server.endpoint).host } })
  const settings = { mode: 'manual', host: '127.0.0.1', port: proxy.port, exempt: '', ...signIn } as const

  const first = await launchSluice({ userDataDir })
  await useKeyring(first.app, true)
  await first.page.evaluate((given) => window.sluice.invoke('network:set-proxy', given), settings)
  await first.close()

  const { app, page, close } = await launchSluice({ userDataDir })
  onTestFinished(close)
  await useKeyring(app, false)
  await choosePaths({ app }, folder)
  await enqueueLink(page, 'http://store.invalid/film.mov', folder)
  const film = transferRow(page, 'film.mov')
  await reads(film, 'The keyring with the proxy’s password can’t be opened now.')
  await shot(page, 'keyring-locked-proxy')
  expect(proxy.headers).toEqual([])

  await useKeyring(app, true)
  await film.getByRole('button', { name: 'Unlock keyring…' }).click()
  await reads(film, /Done|Verified|checked/i)
  expect(proxy.headers.filter((head) => head['proxy-authorization'] === undefined)).toEqual([])
})
