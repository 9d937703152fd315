import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { openStudio, reads, shot, transferRow } from '../../support/window/desk-window.ts'
import { createDownloadDesk } from '../../support/window/download-desk.ts'
import { dropFiles } from '../../support/window/drop-files.ts'
import { resize } from '../../support/window/told-rows.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'

it('opens a folder row into its files, and tries one that failed again', async () => {
  const { proxy } = await createDownloadDesk()
  const folder = await makeFolder(40)
  const refused = proxy.rule({ when: { path: '/Shoot/IMG_01.jpg' }, fault: { kind: 'response', status: 403 } })
  let letGo = (): void => undefined
  const until = new Promise<void>((resolve) => (letGo = resolve))
  const last = { path: '/Shoot/IMG_39.jpg' }
  proxy.rule({ when: last, times: 1, fault: { kind: 'stall', at: 'response', until } })
  const sluice = await openStudio(proxy, join(folder, 'user-data'))
  const { page } = sluice
  await dropFiles(page, [join(folder, 'Shoot')])
  await page.getByRole('dialog').getByRole('button', { name: 'Upload 40 files' }).click()

  // Open while it runs, by keys; it stays open while files come to an end.
  const row = transferRow(page, 'Shoot')
  await row.click()
  await row.focus()
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => row.getAttribute('aria-expanded')).toBe('true')
  await reads(file(page, 'IMG_00.jpg'), 'Uploaded')
  await reads(file(page, 'IMG_01.jpg'), 'Studio doesn’t allow this with the current key.')
  await shot(page, 'open-folder-light')
  expect(await cellIndexes(page)).toEqual([])
  letGo()
  await reads(row, '1 file could not be uploaded')
  expect(await row.getAttribute('aria-expanded')).toBe('true')

  await page.keyboard.press('ArrowDown')
  await expect.poll(() => focusedLabel(page)).toBe('IMG_00.jpg')
  await page.keyboard.press('ArrowDown')
  await page.emulateMedia({ colorScheme: 'dark' })
  await shot(page, 'open-folder-dark')
  for (const width of [640, 800, 900, 1080]) {
    await resize(sluice, [width, 720])
    expect(await isCut(file(page, 'IMG_01.jpg')), String(width)).toBe(false)
    await shot(page, `open-folder-${String(width)}`)
  }
  await resize(sluice, [640, 480])
  await shot(page, 'open-folder-640-dark')
  await page.emulateMedia({ colorScheme: 'light' })
  await shot(page, 'open-folder-640-light')
  await resize(sluice, [1080, 720])

  // To a button of the file and back, as in a row.
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => focusedLabel(page)).toBe('Retry')
  refused.remove()
  const before = proxy.requests({ method: 'PUT' }).length
  await page.keyboard.press('Enter')
  await reads(row, 'verified')
  await reads(file(page, 'IMG_01.jpg'), 'Uploaded')
  expect(proxy.requests({ method: 'PUT' }).length - before).toBe(1)

  // The last of many is there when it is scrolled to, and left leads to the folder, then closes it.
  await row.focus()
  await page.keyboard.press('End')
  await reads(file(page, 'IMG_39.jpg'), 'Uploaded')
  await page.keyboard.press('ArrowLeft')
  await expect.poll(() => focusedLabel(page)).toBe('Shoot')
  await page.keyboard.press('ArrowLeft')
  await expect.poll(() => row.getAttribute('aria-expanded')).toBe('false')
  await file(page, 'IMG_00.jpg').waitFor({ state: 'detached' })
  expect(await focusedLabel(page)).toBe('Shoot')

  // With the pointer, and on to where it was uploaded to.
  await row.dblclick()
  await expect.poll(() => row.getAttribute('aria-expanded')).toBe('true')
  await row.getByRole('button', { name: 'Hide files' }).click()
  await expect.poll(() => row.getAttribute('aria-expanded')).toBe('false')
  await row.getByRole('button', { name: 'Show files' }).click()
  await file(page, 'IMG_02.jpg').hover()
  await file(page, 'IMG_02.jpg').getByRole('button', { name: 'Copy link…' }).click()
  await page.getByRole('dialog', { name: 'Link to IMG_02.jpg' }).waitFor()
  await page.keyboard.press('Escape')
  await file(page, 'IMG_02.jpg').click()
  await page.keyboard.press('Space')
  await page.getByRole('dialog', { name: 'IMG_02.jpg' }).getByText('IMG_02.jpgIMG_02.jpg').waitFor()
  await page.keyboard.press('Space')
  await file(page, 'IMG_02.jpg').getByRole('button', { name: 'Show on the server' }).click()
  const uploaded = page.getByRole('grid', { name: 'Files' }).getByRole('row', { name: 'IMG_02.jpg' })
  await uploaded.waitFor()
})

it('scrolls through a folder of many files, and asks for no more than is seen', async () => {
  const { proxy } = await createDownloadDesk()
  const folder = await makeFolder(3000)
  const { page } = await openStudio(proxy, join(folder, 'user-data'))
  await dropFiles(page, [join(folder, 'Shoot')])
  await page.getByRole('dialog').getByRole('button', { name: 'Upload 3,000 files' }).click()
  const row = transferRow(page, 'Shoot')
  await reads(row, 'verified')
  await row.getByRole('button', { name: 'Show files' }).click()
  await reads(file(page, 'IMG_0000.jpg'), 'Uploaded')
  const grid = page.getByRole('treegrid', { name: 'Transfers' })
  expect(await grid.getAttribute('aria-rowcount')).toBe('3003')
  expect(await grid.getByRole('row').count()).toBeLessThan(100)
  await row.focus()
  await page.keyboard.press('End')
  await reads(file(page, 'IMG_2999.jpg'), 'Uploaded')
})

it('makes one row of small files that are dropped together, and asks about those that are there', async () => {
  const { proxy } = await createDownloadDesk()
  const folder = await makeFolder(6)
  const { page } = await openStudio(proxy, join(folder, 'user-data'))
  const paths = Array.from({ length: 6 }, (_, number) => join(folder, 'Shoot', `IMG_0${String(number)}.jpg`))
  await dropFiles(page, paths.slice(0, 1))
  await reads(transferRow(page, 'IMG_00.jpg'), 'verified')
  await dropFiles(page, paths)
  const sheet = page.getByRole('dialog', { name: 'IMG_00.jpg already exists' })
  await sheet.waitFor()
  await page.keyboard.press('Escape')
  const row = transferRow(page, 'IMG_01.jpg and 4 more')
  await reads(row, '5 files · 10.0 kB')
  await row.getByRole('img', { name: 'Upload of several files' }).waitFor()
  await row.getByRole('button', { name: 'Show files' }).click()
  await reads(file(page, 'IMG_05.jpg'), 'Uploaded')
  await shot(page, 'batch-row')

  // A file that got another name is not mistaken for the one that has it.
  const set = { 'last-modified': 'Wed, 12 Nov 2025 10:00:00 GMT' }
  proxy.rule({ when: { path: '/IMG_03.jpg' }, fault: { kind: 'headers', set } })
  await file(page, 'IMG_03.jpg').hover()
  await file(page, 'IMG_03.jpg').getByRole('button', { name: 'Copy link…' }).click()
  await page.getByText('IMG_03.jpg already existed').waitFor()
  await page.evaluate(() => window.sluice.invoke('settings:set', { language: 'zh-CN' }))
  await page.getByRole('row', { name: 'IMG_01.jpg 和另外 4 项', exact: true, level: 1 }).waitFor()
  await shot(page, 'batch-row-zh-cn')
})

function file(page: Page, name: string): Locator {
  return page.getByRole('row', { name, exact: true, level: 2 })
}

/** Whether what is said of a file is not seen as a whole. */
function isCut(row: Locator): Promise<boolean> {
  return row.evaluate((element) => {
    const words = element.querySelector('[id$="-words"]')
    if (words === null) return true
    const [outer, inner] = [element.getBoundingClientRect(), words.getBoundingClientRect()]
    const isWithin = inner.top >= outer.top && inner.bottom <= outer.bottom && inner.right <= outer.right
    return !isWithin || words.scrollWidth > words.clientWidth || words.scrollHeight > words.clientHeight
  })
}

/** Lines with a cell that doesn't say which column it is of, or one beyond the last. */
function cellIndexes(page: Page): Promise<readonly string[]> {
  return page.getByRole('treegrid', { name: 'Transfers' }).evaluate((grid) => {
    const columns = Number(grid.getAttribute('aria-colcount'))
    const cells = [...grid.querySelectorAll('[aria-level] > [role="gridcell"]')]
    return cells
      .filter((cell) => {
        const column = Number(cell.getAttribute('aria-colindex'))
        return column < 1 || column > columns
      })
      .map((cell) => cell.textContent)
  })
}

function focusedLabel(page: Page): Promise<string | null> {
  return page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? null)
}

/** A folder `Shoot` with so many small files, beside where the window keeps its data. */
async function makeFolder(count: number): Promise<string> {
  const folder = await tempDir()
  await mkdir(join(folder, 'Shoot'))
  const names = Array.from(
    { length: count },
    (_, number) => `IMG_${String(number).padStart(count > 100 ? 4 : 2, '0')}.jpg`,
  )
  for (const name of names) await writeFile(join(folder, 'Shoot', name), name.repeat(200))
  return folder
}
