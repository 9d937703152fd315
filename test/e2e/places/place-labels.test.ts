import { randomUUID } from 'node:crypto'
import { expect, it, onTestFinished } from 'vitest'
import type { NewPlace } from '../../../shared/place/place.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'
import { shot } from '../../support/window/desk-window.ts'
import { launchSluice } from '../../support/window/electron-app.ts'
import { transferRow as fakeRow } from '../../support/fakes/transfer-rows.ts'
import { resize, tellRows } from '../../support/window/told-rows.ts'

const PLACE: Omit<NewPlace, 'name'> = {
  ...{ endpoint: 'https://store.invalid', bucket: 'media', dialect: 's3', pathStyle: true, region: '' },
  ...{ scheme: 'STORAGE', signature: 'none', accessKeyId: '', secretAccessKey: '', sessionToken: '' },
  ...{ profile: '', preset: 's3', color: 'none' },
}
const NAMES = ['Archive', 'Camera', 'Footage', 'Masters', 'Rushes of the summer', 'Sound', 'Stills']

it('labels places, and finds one of many by its label', async () => {
  const { app, page, close } = await launchSluice({ userDataDir: await tempDir() })
  onTestFinished(close)
  const sidebar = page.getByRole('navigation', { name: 'Sidebar' })
  const place = (name: string) => sidebar.getByRole('button', { name, exact: true })
  const add = (name: string) =>
    page.evaluate((given) => window.sluice.invoke('places:add', given), {
      ...PLACE,
      name,
      bucket: name.toLowerCase().slice(0, 5),
    })
  for (const name of NAMES) await add(name)
  await page.reload()
  await place('Stills').waitFor()
  expect(await sidebar.getByRole('searchbox', { name: 'Filter places' }).count()).toBe(0)
  await add('Studio')
  await page.reload()
  const filter = sidebar.getByRole('searchbox', { name: 'Filter places' })
  await filter.waitFor()

  await sidebar.getByRole('button', { name: 'Actions for Rushes of the summer' }).click()
  await page.getByRole('menuitem', { name: 'Edit place…' }).click()
  const form = page.getByRole('dialog', { name: 'Edit Rushes of the summer' })
  await form.getByLabel('Label', { exact: true }).fill('family, in common use')
  await shot(page, 'place-label-form')
  await resize({ app, page }, [640, 480])
  await page.emulateMedia({ colorScheme: 'dark' })
  await form.getByLabel('Label', { exact: true }).scrollIntoViewIfNeeded()
  await shot(page, 'place-label-form-small-dark')
  await resize({ app, page }, [1080, 720])
  await form.getByRole('button', { name: /^Save/ }).click()
  await form.getByRole('button', { name: 'Save anyway' }).click()
  await form.waitFor({ state: 'detached' })
  expect(await place('Rushes of the summer').getAttribute('aria-describedby')).not.toBeNull()
  await sidebar.getByText('Label: family, in common use. No active transfers.').waitFor({ state: 'attached' })
  // What has neither focus nor pointer shows its label.
  await filter.focus()
  await page.mouse.move(600, 600)
  await shot(page, 'place-labels-dark')
  await page.emulateMedia({ colorScheme: 'light' })
  await shot(page, 'place-labels')

  await filter.fill('FAMILY')
  await place('Stills').waitFor({ state: 'detached' })
  await place('Rushes of the summer').waitFor()
  await shot(page, 'place-labels-filtered')
  await filter.fill('sound')
  await place('Sound').waitFor()
  await place('Rushes of the summer').waitFor({ state: 'detached' })
  await filter.fill('nothing of the kind')
  await sidebar.getByText('No places match.').waitFor()
  await filter.press('Escape')
  await place('Stills').waitFor()

  // What is added while others are looked for is there to be seen.
  await filter.fill('sound')
  await place('Stills').waitFor({ state: 'detached' })
  await place('Add place…').click()
  const added = page.getByRole('dialog', { name: 'Add place' })
  await added.getByLabel('Name', { exact: true }).fill('Trailers')
  await added.getByLabel('Endpoint').fill('https://store.invalid')
  await added.getByLabel('Bucket', { exact: true }).fill('trailers')
  await added.getByLabel('Access key ID').fill('AK')
  await added.getByLabel('Secret key').fill('secret')
  await added.getByRole('button', { name: 'Save', exact: true }).click()
  await added.getByRole('button', { name: 'Save anyway' }).click()
  await added.waitFor({ state: 'detached' })
  await place('Trailers').waitFor()
  expect(await filter.inputValue()).toBe('')
})

it('says what the mark before a place means where the pointer is over it', async () => {
  const sluice = await launchSluice({ userDataDir: await tempDir() })
  onTestFinished(sluice.close)
  const { page } = sluice
  await tellRows(sluice, [fakeRow({ id: randomUUID(), status: 'failed' })])
  const mark = page.getByRole('navigation', { name: 'Sidebar' }).locator('[data-light="attention"]')
  await mark.waitFor()
  const tooltip = await mark.evaluate((glyph) => glyph.closest('[title]')?.getAttribute('title'))
  expect(tooltip).toMatch(/^A transfer needs you\./)
  await shot(page, 'place-needs-attention')
})
