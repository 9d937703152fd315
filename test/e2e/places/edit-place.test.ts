import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, it, onTestFinished } from 'vitest'
import { startDemoStore } from '../../../electron/demo-store/index.ts'
import { createStorageStore } from '../../../electron/stores/storage/storage-store.ts'
import { bodyOf, signal } from '../../stores/support/open-store.ts'
import { reads, shot, transferRow } from '../../support/window/desk-window.ts'
import { choosePaths, launchSluice } from '../../support/window/electron-app.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'

const CREDENTIALS = { accessKeyId: 'AK', secretAccessKey: 'right' }

/** A window with a place named Studio that is a little wrong, and a file to upload: to a bucket of it, or its own. */
async function openWorld(
  changes: { readonly bucket?: string; readonly secretAccessKey?: string; readonly endpoint?: string },
  to?: string,
) {
  const folder = await tempDir()
  const directory = join(folder, 'store')
  const store = await startDemoStore({ directory, buckets: ['media', 'other'], credentials: CREDENTIALS })
  onTestFinished(() => store.close())
  const path = join(folder, 'film.mov')
  await writeFile(path, 'content')
  const { app, page, close } = await launchSluice({ userDataDir: join(folder, 'user-data') })
  onTestFinished(close)
  await choosePaths({ app }, path)
  await page.evaluate(
    async ([place, file = '', bucket]) => {
      const added = await window.sluice.invoke('places:add', place)
      const placeId = added.ok ? added.value.id : ''
      // Of a server that is away somebody would be asked first.
      const answer = place.endpoint.endsWith(':1') ? ({ onConflict: 'replace' } as const) : {}
      const address = bucket === undefined ? { placeId } : { placeId, bucket }
      await window.sluice.invoke('uploads:enqueue', { ...address, prefix: '', paths: [file], ...answer })
    },
    [
      {
        ...{ name: 'Studio', endpoint: store.endpoint, bucket: 'media', pathStyle: true },
        ...({
          dialect: 'storage',
          scheme: 'STORAGE',
          signature: 'hmac-sha1',
          preset: 'storage',
          color: 'none',
        } as const),
        ...{ region: '', sessionToken: '', profile: '', ...CREDENTIALS, ...changes },
      },
      path,
      to,
    ] as const,
  )
  await page.reload()
  return { page, endpoint: store.endpoint }
}

it('duplicates a place with its key, under another name, for another bucket', async () => {
  const { page } = await openWorld({})
  await page.getByRole('button', { name: 'Actions for Studio' }).click()
  await page.getByRole('menuitem', { name: 'Duplicate…' }).click()
  const sheet = page.getByRole('dialog', { name: 'Duplicate Studio' })
  expect(await sheet.getByLabel('Name', { exact: true }).inputValue()).toBe('Studio copy')
  expect(await sheet.getByLabel('Access key ID').inputValue()).toBe('AK')
  await shot(page, 'duplicate-place')
  // With the same bucket, it would be the same place.
  await sheet.getByRole('button', { name: 'Save' }).click()
  await sheet.getByText('Studio has the same address, bucket and key.').waitFor()
  await sheet.getByLabel('Bucket', { exact: true }).fill('other')
  await sheet.getByRole('button', { name: 'Save' }).click()
  await sheet.waitFor({ state: 'detached' })
  // Its key opens it, and it is shown at once.
  await page.getByRole('navigation', { name: 'Folder' }).getByText('Studio copy', { exact: true }).waitFor()
  await page.getByText('This bucket is empty').waitFor()
  expect(await page.getByRole('button', { name: 'Studio', exact: true }).count()).toBe(1)
})

async function editPlace(page: Page) {
  await transferRow(page, 'film.mov').getByRole('button', { name: 'Edit place…' }).click()
  return page.getByRole('dialog', { name: 'Edit Studio' })
}

it('leads from a row whose key is wrong to the form, and goes on once the key is right', async () => {
  const { page } = await openWorld({ secretAccessKey: 'wrong' })
  await reads(transferRow(page, 'film.mov'), 'Studio didn’t accept the key.')
  await shot(page, 'edit-place-row')
  await page.emulateMedia({ colorScheme: 'dark' })
  await shot(page, 'edit-place-row-dark')
  const form = await editPlace(page)
  await form.getByLabel('Secret key').fill('right')
  await form.getByRole('button', { name: 'Save', exact: true }).click()
  await form.waitFor({ state: 'detached' })
  await reads(transferRow(page, 'film.mov'), 'verified')
})

it('goes on in the bucket that the place names now, where it named one that isn’t there', async () => {
  const { page } = await openWorld({ bucket: 'medai' })
  await reads(transferRow(page, 'film.mov'), 'There is no bucket named medai.')
  await transferRow(page, 'film.mov').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Edit place…' }).waitFor()
  await shot(page, 'edit-place-menu')
  await page.keyboard.press('Escape')
  const form = await editPlace(page)
  await form.getByLabel('Bucket', { exact: true }).fill('media')
  await form.getByRole('button', { name: 'Save', exact: true }).click()
  await form.waitFor({ state: 'detached' })
  await reads(transferRow(page, 'film.mov'), 'verified')
  const queue = await page.evaluate(() => window.sluice.invoke('queue:snapshot', null))
  expect(queue).toMatchObject({ ok: true, value: { rows: [{ bucket: 'media', status: 'completed' }] } })
})

it('asks for another bucket where a place with all buckets has none of that name, and leaves the place as it is', async () => {
  const { page } = await openWorld({ bucket: '' }, 'medai')
  await reads(transferRow(page, 'film.mov'), 'There is no bucket named medai.')
  await transferRow(page, 'film.mov').getByRole('button', { name: 'Choose bucket…' }).click()
  const sheet = page.getByRole('dialog', { name: 'Bucket for film.mov' })
  await sheet.getByLabel('Bucket', { exact: true }).fill('media')
  await page.keyboard.press('Enter')
  await sheet.waitFor({ state: 'detached' })
  await reads(transferRow(page, 'film.mov'), 'verified')
  const places = await page.evaluate(() => window.sluice.invoke('places:list', null))
  expect(places.ok && places.value.find(({ name }) => name === 'Studio')).toMatchObject({ bucket: '' })
})

it('tries again at once what waits for a server that isn’t there, when the place names another', async () => {
  const { page, endpoint } = await openWorld({ endpoint: 'http://127.0.0.1:1' })
  await reads(transferRow(page, 'film.mov'), 'Can’t reach Studio')
  await transferRow(page, 'film.mov').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Edit place…' }).click()
  const form = page.getByRole('dialog', { name: 'Edit Studio' })
  await form.getByLabel('Endpoint').fill(endpoint)
  // A key goes to nobody but whom it was entered for.
  await form.getByText('Enter it again for the new address or key ID.').waitFor()
  await form.getByLabel('Secret key').fill('right')
  await form.getByRole('button', { name: 'Save', exact: true }).click()
  await form.waitFor({ state: 'detached' })
  await reads(transferRow(page, 'film.mov'), 'verified')
})

it('replaces nothing that nobody could see while the key was wrong', async () => {
  const { page, endpoint } = await openWorld({ secretAccessKey: 'wrong' })
  await reads(transferRow(page, 'film.mov'), 'Studio didn’t accept the key.')
  const where = { endpoint, bucket: 'media', dialect: 'storage', pathStyle: true, region: '' } as const
  const store = createStorageStore({ ...where, scheme: 'STORAGE', signature: 'hmac-sha1', credentials: CREDENTIALS })
  onTestFinished(() => store.close())
  await store.putObject({ key: 'film.mov', body: bodyOf(Buffer.from('somebody else’s film')), signal })
  const form = await editPlace(page)
  await form.getByLabel('Secret key').fill('right')
  await form.getByRole('button', { name: 'Save', exact: true }).click()
  await form.waitFor({ state: 'detached' })
  await reads(transferRow(page, 'film.mov'), 'Nothing was replaced.')
  expect((await store.headObject({ key: 'film.mov', signal })).sizeBytes).toBe(22)
  await transferRow(page, 'film.mov').getByRole('button', { name: 'Decide…' }).click()
  await shot(page, 'edit-place-decide')
  await page.getByRole('dialog').getByRole('button', { name: 'Upload again' }).click()
  await reads(transferRow(page, 'film.mov'), 'verified')
  expect((await store.headObject({ key: 'film.mov', signal })).sizeBytes).toBe(7)
})

it('leads from a folder that can’t be listed to the form, and lists it once the key is right', async () => {
  const { page } = await openWorld({ secretAccessKey: 'wrong' })
  await page.getByRole('button', { name: 'Studio', exact: true }).click()
  const folder = page.getByRole('region', { name: 'Studio' })
  await reads(folder.getByRole('alert'), 'The secret key doesn’t belong to this access key ID')
  await shot(page, 'edit-place-browse')
  await folder.getByRole('button', { name: 'Edit place…' }).click()
  const form = page.getByRole('dialog', { name: 'Edit Studio' })
  await form.getByLabel('Secret key').fill('right')
  await form.getByRole('button', { name: 'Save', exact: true }).click()
  await form.waitFor({ state: 'detached' })
  await folder.getByRole('row', { name: 'film.mov' }).waitFor()
})

it('asks before a place that is added again changes the one that is there', async () => {
  const { page, endpoint } = await openWorld({})
  await page.getByRole('button', { name: 'Add place' }).first().click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Name', { exact: true }).fill('Other')
  await form.getByLabel('Bucket', { exact: true }).fill('media')
  await form.getByLabel('Endpoint').fill(endpoint)
  await form.getByLabel('Access key ID').fill('AK')
  await form.getByLabel('Secret key').fill('right')
  await form.getByRole('button', { name: 'Save', exact: true }).click()
  await form.getByText('Studio has the same address, bucket and key.').waitFor()
  expect(await page.getByRole('button', { name: 'Other', exact: true }).count()).toBe(0)
  await form.getByRole('button', { name: 'Update Studio' }).click()
  await form.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Other', exact: true }).waitFor()
  expect(await page.getByRole('button', { name: 'Studio', exact: true }).count()).toBe(0)
})
