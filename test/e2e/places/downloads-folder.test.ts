import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator } from 'playwright-core'
import { expect, it } from 'vitest'
import { openStudio, openWorld, row } from '../../support/window/browser-world.ts'
import { shot } from '../../support/window/desk-window.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'
import { resize } from '../../support/window/told-rows.ts'

const textOf = (path: string) => readFile(path, 'utf8').catch(() => null)

it('saves what comes from a place to its own folder, until that is taken back', async () => {
  const { app, page, put, downloads } = await openWorld()
  const own = join(await tempDir(), 'rushes')
  await mkdir(own)
  await put('a.txt', 'a')
  await put('b.txt', 'b')
  await app.evaluate(({ dialog }, chosen) => {
    dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [chosen] })
  }, own)
  const edit = async () => {
    await page.getByRole('button', { name: 'Actions for Studio' }).click()
    await page.getByRole('menuitem', { name: 'Edit place…' }).click()
    return page.getByRole('dialog', { name: 'Edit Studio' })
  }
  const form = await edit()
  const field = form.getByRole('group', { name: 'Save downloads to' })
  await field.getByText(downloads).waitFor()
  await field.getByRole('button', { name: 'Choose…' }).click()
  await field.getByText(own).waitFor()
  await shot(page, 'place-downloads-folder')
  await page.emulateMedia({ colorScheme: 'dark' })
  await resize({ app, page }, [640, 480])
  await field.scrollIntoViewIfNeeded()
  await shot(page, 'place-downloads-folder-small-dark')
  await resize({ app, page }, [1080, 720])
  await form.getByRole('button', { name: 'Save', exact: true }).click()
  await form.waitFor({ state: 'detached' })

  // Also after the window was closed, when only what main tells is known.
  await page.reload()
  await openStudio(page)
  const grid = page.getByRole('grid', { name: 'Files' })
  await row(grid, 'a.txt').click()
  await page.getByRole('toolbar', { name: 'Actions' }).getByRole('button', { name: 'Download…' }).click()
  const sheet = page.getByRole('dialog', { name: 'Download a.txt' })
  await sheet.getByText(own).waitFor()
  await sheet.getByRole('button', { name: 'Download', exact: true }).click()
  await expect.poll(() => textOf(join(own, 'a.txt'))).toBe('a')

  await row(grid, 'b.txt').getByText('b.txt').hover()
  await page.mouse.down()
  await row(grid, 'a.txt').hover()
  await page.getByText(`Download 1 item to ${own}`).hover()
  await page.mouse.up()
  await expect.poll(() => textOf(join(own, 'b.txt'))).toBe('b')

  await edit()
  await field.getByRole('button', { name: 'Use default' }).click()
  await field.getByText(downloads).waitFor()
  await form.getByRole('button', { name: 'Save', exact: true }).click()
  await form.waitFor({ state: 'detached' })
  await row(grid, 'a.txt').dblclick()
  await sheet.getByText(downloads).waitFor()
})

it('saves where it saved the last time, instead of the same default folder, until that is chosen again', async () => {
  const { app, page, put, downloads } = await openWorld()
  const other = await tempDir()
  for (const name of ['a', 'b', 'c']) await put(`${name}.txt`, name)
  await app.evaluate(({ dialog }, chosen) => {
    dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [chosen] })
  }, other)
  await openStudio(page)
  const grid = page.getByRole('grid', { name: 'Files' })
  const open = async (name: string) => {
    await row(grid, name).dblclick()
    const sheet = page.getByRole('dialog', { name: `Download ${name}` })
    return { sheet, field: sheet.getByRole('group', { name: 'Save to' }) }
  }
  const save = async (sheet: Locator) => {
    await sheet.getByRole('button', { name: 'Download', exact: true }).click()
    await sheet.waitFor({ state: 'detached' })
  }

  const first = await open('a.txt')
  await first.field.getByText(downloads).waitFor()
  expect(await first.field.getByRole('button', { name: 'Use default' }).count()).toBe(0)
  await first.field.getByRole('button', { name: 'Choose…' }).click()
  await first.field.getByText(other).waitFor()
  await first.sheet.getByRole('radio', { name: 'Replace' }).check({ force: true })
  await save(first.sheet)
  await expect.poll(() => textOf(join(other, 'a.txt'))).toBe('a')

  // Where it goes is the same; that files are replaced is not.
  const second = await open('b.txt')
  await second.field.getByText(other).waitFor()
  await shot(page, 'download-to-the-last-folder')
  expect(await second.sheet.getByRole('radio', { name: 'Keep both', exact: true }).isChecked()).toBe(true)
  await second.field.getByRole('button', { name: 'Use default' }).click()
  await second.field.getByText(downloads).waitFor()
  await save(second.sheet)
  await expect.poll(() => textOf(join(downloads, 'b.txt'))).toBe('b')
  await (await open('c.txt')).field.getByText(downloads).waitFor()
})
