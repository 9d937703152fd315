import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { namesIn, openStudio, openWorld, pictures, row } from '../../support/window/browser-world.ts'
import { dropFiles } from '../../support/window/drop-files.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'
import { signal } from '../../stores/support/open-store.ts'

const FORBIDDEN = { kind: 'response', status: 403, body: '{"Error":{"Code":"AccessDenied"}}' } as const

it('begins in the one folder that its key may see', async () => {
  const world = await openWorld()
  const { page, put, proxy, store } = world
  await put('home/ann/film.mov', 'the film')
  await put('home/ann/2026/report.pdf', 'the report')
  await put('home/bob/secret.txt', 'not hers')
  const isElsewhere = ({ url }: { readonly url: string }) => !decodeURIComponent(url).includes('prefix=home/ann/')
  proxy.rule({ when: { method: 'GET', path: /^\/media\/?$/, test: isElsewhere }, fault: FORBIDDEN })
  await openStudio(page)
  const alert = page.getByRole('alert').filter({ hasText: 'Studio doesn’t allow this with the current key.' })
  await alert.waitFor()

  await page.getByRole('button', { name: 'Edit place…' }).click()
  const sheet = page.getByRole('dialog')
  await sheet.getByRole('button', { name: 'Advanced' }).click()
  await sheet.getByLabel('Folder', { exact: true }).fill('/home/ann')
  await sheet.getByRole('button', { name: 'Save', exact: true }).click()
  await sheet.waitFor({ state: 'detached' })

  const grid = page.getByRole('grid', { name: 'Files' })
  await expect.poll(() => namesIn(grid)).toEqual(['2026, folder', 'film.mov'])
  await pictures(world, 'browser-place-folder')
  // There is nothing above it.
  await row(grid, 'film.mov').press('Backspace')
  await row(grid, '2026, folder').dblclick()
  await expect.poll(() => namesIn(grid)).toEqual(['report.pdf'])
  await row(grid, 'report.pdf').press('Backspace')
  await expect.poll(() => namesIn(grid)).toEqual(['2026, folder', 'film.mov'])

  const path = join(await tempDir(), 'new.txt')
  await writeFile(path, 'new')
  await dropFiles(page, [path])
  await expect.poll(() => store.headObject({ key: 'home/ann/new.txt', signal }).catch(() => null)).not.toBeNull()
  expect(await alert.count()).toBe(0)
})
