import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, it, onTestFinished } from 'vitest'
import { startDemoStore } from '../../../electron/demo-store/index.ts'
import { beginUpload } from '../../support/tools/begin-upload.ts'
import { openStudio, shot } from '../../support/window/desk-window.ts'
import { createDownloadDesk } from '../../support/window/download-desk.ts'
import { dropFiles } from '../../support/window/drop-files.ts'
import { launchSluice } from '../../support/window/electron-app.ts'
import { resize } from '../../support/window/told-rows.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'

const CREDENTIALS = { accessKeyId: 'AK', secretAccessKey: 'right' }

/** A window beside a store with one bucket, which is no place yet. */
async function openWorld() {
  const folder = await tempDir()
  const store = await startDemoStore({ directory: join(folder, 'store'), buckets: ['media'], credentials: CREDENTIALS })
  onTestFinished(() => store.close())
  const { app, page, close } = await launchSluice({ userDataDir: join(folder, 'user-data') })
  onTestFinished(close)
  return { app, folder, page, endpoint: store.endpoint }
}

/** Adds the place by its form. */
async function addPlace(page: Page, endpoint: string): Promise<void> {
  await page.getByRole('button', { name: 'Add place' }).first().click()
  const form = page.getByRole('dialog')
  await form.getByRole('button', { name: /Service$/ }).click()
  await page.getByRole('option', { name: 'Object Storage Service' }).click()
  await form.getByLabel('Endpoint').fill(endpoint)
  await form.getByLabel('Bucket', { exact: true }).fill('media')
  await form.getByLabel('Access key ID').fill('AK')
  await form.getByLabel('Secret key').fill('right')
  await form.getByRole('button', { name: 'Save' }).click()
  await form.waitFor({ state: 'detached' })
}

const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent ?? '')

it('opens a place once it is added, and says what an added file would be compared with', async () => {
  const { folder, page, endpoint } = await openWorld()
  await addPlace(page, endpoint)
  await page.getByText('This bucket is empty · drop files here to upload them').waitFor()
  const path = join(folder, 'film.mov')
  await writeFile(path, 'first')
  await dropFiles(page, [path])
  const grid = page.getByRole('grid', { name: 'Files' })
  await grid.getByRole('row', { name: /film\.mov/ }).waitFor()
  await writeFile(path, 'the second version')
  await dropFiles(page, [path])
  const sheet = page.getByRole('dialog', { name: 'film.mov already exists' })
  const row = sheet.getByRole('row', { name: /film\.mov/ })
  await expect
    .poll(() => row.getByRole('cell').allTextContents())
    .toEqual([
      expect.stringMatching(/^18 bytes, \d+ \w+ \d{4}, \d\d:\d\d$/),
      expect.stringMatching(/^5 bytes, \d+ \w+ \d{4}, \d\d:\d\d$/),
    ])
  await shot(page, 'sheet-taken')
  await page.emulateMedia({ colorScheme: 'dark' })
  await shot(page, 'sheet-taken-dark')
})

it('keeps a list open whatever a question about one of its lines is answered', async () => {
  const { proxy } = await createDownloadDesk()
  await beginUpload(proxy, 'reel.mov', [Buffer.from('a part')])
  const { page } = await openStudio(proxy, join(await tempDir(), 'user-data'))
  await page.getByRole('button', { name: 'Actions for Studio' }).click()
  await page.getByRole('menuitem', { name: 'Unfinished uploads…' }).click()
  const list = page.getByRole('dialog', { name: 'Unfinished uploads in Studio' })
  const question = page.getByRole('alertdialog', { name: 'Discard the unfinished upload of reel.mov?' })
  const ask = async () => {
    await list.getByRole('button', { name: 'Actions for reel.mov' }).click()
    await page.getByRole('menuitem', { name: 'Discard…' }).click()
    await question.waitFor()
  }
  await ask()
  await page.keyboard.press('Escape')
  await question.waitFor({ state: 'detached' })
  await ask()
  await shot(page, 'sheet-question')
  await question.getByRole('button', { name: 'Cancel' }).click()
  await list.getByText('1 unfinished upload', { exact: true }).waitFor()
  await ask()
  await question.getByRole('button', { name: /^Discard/ }).click()
  await list.getByText('No unfinished uploads').waitFor()
})

it('begins the words of each column of unfinished uploads where its head does, with and without a scroll bar', async () => {
  const { proxy } = await createDownloadDesk()
  await beginUpload(proxy, 'reel 0.mov', [Buffer.from('a part')])
  const { page } = await openStudio(proxy, join(await tempDir(), 'user-data'))
  await page.getByRole('button', { name: 'Actions for Studio' }).click()
  await page.getByRole('menuitem', { name: 'Unfinished uploads…' }).click()
  const list = page.getByRole('dialog', { name: 'Unfinished uploads in Studio' })
  await list.getByText('1 part · 6 bytes').waitFor()
  /** Where the words of the heads and of the first row begin, and how wide the scroll bar is. */
  const measures = () =>
    list.getByRole('grid').evaluate((grid) => {
      const begins = (cell: Element) => {
        const words = document.createRange()
        words.selectNodeContents(document.createTreeWalker(cell, NodeFilter.SHOW_TEXT).nextNode() ?? cell)
        return Math.round(words.getBoundingClientRect().left)
      }
      const heads = [...grid.querySelectorAll('[role="columnheader"]')]
      const cells = [...grid.querySelectorAll('[role="rowheader"], [role="gridcell"]')].slice(0, heads.length)
      return {
        heads: heads.map(begins),
        cells: cells.map(begins),
        barPx: Math.round(grid.getBoundingClientRect().width) - 2 - grid.clientWidth,
      }
    })
  const few = await measures()
  expect(few.heads).toHaveLength(5)
  expect(few).toMatchObject({ barPx: 0, cells: few.heads })
  for (let index = 1; index < 12; index += 1) await beginUpload(proxy, `reel ${String(index)}.mov`, [])
  await list.getByRole('button', { name: 'Refresh' }).click()
  await list.getByText('12 unfinished uploads', { exact: true }).waitFor()
  await expect.poll(async () => (await measures()).barPx).toBeGreaterThan(0)
  await list.getByText('1 part · 6 bytes').waitFor()
  await shot(page, 'sheet-unfinished-many')
  const many = await measures()
  expect(many.cells).toEqual(many.heads)
})

it('shows no half address, and gives a typed one back', async () => {
  const { page } = await openWorld()
  await page.getByRole('button', { name: 'Add place' }).first().click()
  const form = page.getByRole('dialog')
  const choose = async (name: string) => {
    await form.getByRole('button', { name: /Service$/ }).click()
    await page.getByRole('option', { name }).click()
  }
  expect(await form.getByRole('button', { name: /Service$/ }).innerText()).toContain('Amazon S3')
  await choose('MinIO')
  await form.getByLabel('Endpoint').fill('http://10.0.0.7:9000')
  await choose('Cloudflare R2')
  await form.getByRole('button', { name: 'Advanced' }).click()
  expect(await form.getByLabel('Endpoint').inputValue()).toBe('')
  await shot(page, 'sheet-place-r2')
  await choose('MinIO')
  expect(await form.getByLabel('Endpoint').inputValue()).toBe('http://10.0.0.7:9000')
})

it('says at once why a list of unfinished uploads does not come, asks again by itself, and lists them then', async () => {
  const { proxy } = await createDownloadDesk()
  await beginUpload(proxy, 'reel.mov', [Buffer.from('a part')])
  const { page } = await openStudio(proxy, join(await tempDir(), 'user-data'))
  const down = proxy.rule({ fault: { kind: 'reset', at: 'request' } })
  await page.getByRole('button', { name: 'Actions for Studio' }).click()
  await page.getByRole('menuitem', { name: 'Unfinished uploads…' }).click()
  const list = page.getByRole('dialog', { name: 'Unfinished uploads in Studio' })
  await list.getByText(/^Can’t reach Studio: the connection broke off · trying again in \d:\d\d/).waitFor()
  await shot(page, 'sheet-unfinished-waits')
  expect(down.hits).toBeGreaterThan(0)
  down.remove()
  await list.getByRole('row', { name: /^reel\.mov/ }).waitFor()
  expect(await list.getByText(/trying again/).count()).toBe(0)
})

it('keeps what a sheet contains where it is when a scroll bar appears beside it', async () => {
  const { app, page } = await openWorld()
  await resize({ app, page }, [1080, 900])
  await page.getByRole('button', { name: 'Add place' }).first().click()
  const form = page.getByRole('dialog')
  /** How much the sheet scrolls, and where its fields begin and end. */
  const measures = () =>
    form.evaluate((sheet) => {
      const boxes = [...sheet.querySelectorAll('input, h2, button[data-main]')].map((each) =>
        each.getBoundingClientRect(),
      )
      return {
        hidden: sheet.scrollHeight - sheet.clientHeight,
        barPx: Math.round(sheet.getBoundingClientRect().width) - sheet.clientWidth,
        edges: [...new Set(boxes.flatMap(({ left, right }) => [left, right]))],
      }
    })
  const whole = await measures()
  expect(whole).toMatchObject({ hidden: 0, barPx: 0 })
  await resize({ app, page }, [1080, 480])
  await expect.poll(async () => (await measures()).hidden).toBeGreaterThan(0)
  const scrolled = await measures()
  expect(scrolled.barPx).toBeGreaterThan(0)
  expect(scrolled.edges).toEqual(whole.edges)
  await shot(page, 'sheet-place-low')
})

it('goes from tab to tab of a sheet by arrow keys', async () => {
  const { page } = await openWorld()
  await page.keyboard.press('ControlOrMeta+Shift+O')
  const sheet = page.getByRole('dialog', { name: 'Download' })
  const [objects, text] = [
    sheet.getByRole('tab', { name: 'From Demo store' }),
    sheet.getByRole('tab', { name: 'Link or path' }),
  ]
  await sheet.locator(':focus').waitFor()
  await page.keyboard.press('Shift+Tab')
  while (
    (await page.evaluate(() => document.activeElement?.role ?? document.activeElement?.getAttribute('role'))) !== 'tab'
  )
    await page.keyboard.press('Shift+Tab')
  const isAt = (tab: typeof text) => tab.evaluate((element) => element === document.activeElement)
  await expect.poll(() => isAt(objects)).toBe(true)
  for (const [key, tab] of [
    ['ArrowRight', text],
    ['ArrowRight', objects],
    ['ArrowLeft', text],
    ['Home', objects],
    ['End', text],
  ] as const) {
    await page.keyboard.press(key)
    await sheet.getByRole('tab', { selected: true }).and(tab).waitFor()
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
    expect(await isAt(tab), key).toBe(true)
  }
})

it('closes with Escape what is under a tooltip, not the tooltip alone', async () => {
  const { folder, page } = await openWorld()
  await dropFiles(page, [folder])
  const sheet = page.getByRole('dialog', { name: /^Upload/ })
  const tooltip = page.getByRole('tooltip')
  // What the count finds makes the sheet taller, and moves the buttons.
  await sheet.getByRole('button', { name: /^Upload \d+ files$/ }).waitFor()
  await sheet.getByRole('button', { name: 'Add paused' }).hover()
  await tooltip.waitFor()
  await page.keyboard.press('Escape')
  await sheet.waitFor({ state: 'detached' })
  expect(await tooltip.count()).toBe(0)
  // Without anything under it, it goes all the same. What is moved over right after a key is not meant.
  await page.mouse.move(500, 400)
  await page.getByRole('button', { name: 'Actions for Demo store' }).hover()
  await tooltip.waitFor()
  await page.keyboard.press('Escape')
  await tooltip.waitFor({ state: 'detached' })
})

it('carries nothing of a sheet over to the one that opens after it', async () => {
  const { folder, page } = await openWorld()
  const drop = async (name: string) => {
    await mkdir(join(folder, name))
    await writeFile(join(folder, name, 'a.txt'), name)
    await dropFiles(page, [join(folder, name)])
  }
  const first = page.getByRole('dialog', { name: 'Upload one' })
  const second = page.getByRole('dialog', { name: 'Upload two' })
  await drop('one')
  await first.getByRole('radio', { name: 'Replace' }).check({ force: true })
  await first.getByLabel('Folder in Demo store').fill('elsewhere')
  // It waits until the first is closed.
  await drop('two')
  await first.getByRole('button', { name: 'Upload', exact: true }).click()
  await second.waitFor()
  expect(await second.getByRole('radio', { name: 'Keep both' }).isChecked()).toBe(true)
  expect(await second.getByLabel('Folder in Demo store').inputValue()).toBe('')
  await expect.poll(() => focused(page)).toBe('Upload')
})

it('gives focus to what matters in a sheet', async () => {
  const { folder, page } = await openWorld()
  await page.keyboard.press('ControlOrMeta+Shift+O')
  const download = page.getByRole('dialog', { name: 'Download' })
  await download.waitFor()
  const placeholder = () => page.evaluate(() => (document.activeElement as HTMLInputElement).placeholder)
  await expect.poll(placeholder).toBe('Filter files')
  await page.keyboard.press('Escape')
  const path = join(folder, 'film.mov')
  await writeFile(path, 'text')
  await dropFiles(page, [path, folder])
  await page.getByRole('dialog', { name: 'Upload 2 items' }).waitFor()
  await expect.poll(() => focused(page)).toMatch(/^Upload/)
})
