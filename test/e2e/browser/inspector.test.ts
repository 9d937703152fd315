import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { bodyOf, signal } from '../../stores/support/open-store.ts'
import { openStudio, openWorld, row } from '../../support/window/browser-world.ts'
import { shot } from '../../support/window/desk-window.ts'
import { resize } from '../../support/window/told-rows.ts'

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAQAAAAECAIAAAAmkwkpAAAAEElEQVR4nGOQjb8GRwzEcQAaAhUhYAz2tQAAAABJRU5ErkJggg=='
const SVG = `<svg xmlns="http://www.w3.org/2000/svg" width="160" height="90"><script>document.title = 'run'</script>
<rect width="160" height="90" fill="#1d5fd6"/><circle cx="80" cy="45" r="30" fill="#e0ae4a"/></svg>`
const PAGE = '<h1>Not a heading</h1>\n<script>document.title = "run"</script>\n'

const focusedRow = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))

async function openFiles() {
  const world = await openWorld()
  const { page, put, store } = world
  const putBytes = (key: string, bytes: Buffer) => store.putObject({ key, body: bodyOf(bytes), signal })
  await putBytes('dot.png', Buffer.from(PNG, 'base64'))
  await putBytes('broken.png', Buffer.from(PNG, 'base64').subarray(0, 20))
  await putBytes(
    'bomb.png',
    Buffer.concat([Buffer.from(PNG, 'base64').subarray(0, 16), Buffer.from([0, 0, 0x75, 0x30, 0, 0, 0x75, 0x30])]),
  )
  await putBytes('data.bin', Buffer.from([0xff, 0xfe, 0, 1]))
  await putBytes('huge.txt', Buffer.alloc(5_000_001, 'a'))
  await put('drawing.svg', SVG)
  await put('page.html', PAGE)
  await put('notes.txt', 'Zürich\n'.repeat(20_000))
  await put('raw/1.bin', 'one')
  await put('raw/deep/2.bin', 'three')
  await openStudio(page)
  return { ...world, grid: page.getByRole('grid', { name: 'Files' }) }
}

it('shows properties and a look at images and texts, and runs nothing of them', async () => {
  const { app, page, grid, proxy } = await openFiles()
  const inspector = page.getByRole('complementary', { name: 'Inspector' })
  await page.getByText('Select a file to see its properties and a preview.').waitFor()

  await row(grid, 'drawing.svg').click()
  const drawing = inspector.getByRole('img', { name: 'Preview of drawing.svg' })
  await expect.poll(() => drawing.evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBe(160)
  await inspector.getByRole('button', { name: 'Copy ETag' }).waitFor()
  await inspector.getByRole('button', { name: 'Copy path' }).click()
  await expect.poll(() => app.evaluate(({ clipboard }) => clipboard.readText())).toBe('drawing.svg')
  await shot(page, 'browser-inspector')
  await page.emulateMedia({ colorScheme: 'dark' })
  await shot(page, 'browser-inspector-dark')

  await row(grid, 'page.html').click()
  const source = inspector.getByRole('region', { name: 'Preview of page.html' })
  expect(await source.textContent()).toBe(PAGE)
  expect(await page.title()).toBe('Sluice')
  await shot(page, 'browser-inspector-text-dark')
  await page.emulateMedia({ colorScheme: 'light' })
  await row(grid, 'notes.txt').click()
  await inspector.getByText('Only the beginning is shown.').waitFor()
  await shot(page, 'browser-inspector-text')

  await row(grid, 'broken.png').click()
  await inspector.getByText('This image can’t be shown. It may be damaged.').waitFor()
  await row(grid, 'bomb.png').click()
  await inspector.getByText('Images over 50 megapixels have no preview.').waitFor()
  await row(grid, 'data.bin').click()
  await inspector.getByText('This kind of file has no preview.').waitFor()
  await row(grid, 'huge.txt').click()
  await inspector.getByText('Files over 5.00 MB have no preview.').waitFor()
  await inspector.getByRole('button', { name: 'Copy ETag' }).waitFor()
  expect(proxy.requests({ method: 'GET', path: 'huge.txt', ranged: true })).toEqual([])
})

it('asks nothing about what is only passed by, and gives up what is left', async () => {
  const { page, grid, proxy } = await openFiles()
  const inspector = page.getByRole('complementary', { name: 'Inspector' })
  const stalled = proxy.rule({ when: { path: 'dot.png' }, fault: { kind: 'stall', at: 'request' } })
  await row(grid, 'dot.png').click()
  await inspector.getByText('Loading…').waitFor()
  await expect.poll(() => stalled.hits).toBeGreaterThan(0)
  await row(grid, 'notes.txt').click()
  await inspector.getByRole('region', { name: 'Preview of notes.txt' }).waitFor()
  // Both connections to what is not wanted any more are cut.
  await proxy.settled()
  stalled.remove()

  // A hidden inspector asks for nothing.
  await page.keyboard.press('ControlOrMeta+i')
  await inspector.waitFor({ state: 'detached' })
  await row(grid, 'drawing.svg').click()
  await page.keyboard.press('ControlOrMeta+i')
  await inspector.getByRole('img', { name: 'Preview of drawing.svg' }).waitFor()
  expect(proxy.requests({ path: 'drawing.svg', ranged: true }).length).toBeGreaterThan(0)
  expect(proxy.requests({ path: 'page.html' })).toEqual([])

  proxy.rule({
    when: { path: 'page.html' },
    fault: { kind: 'response', status: 403, body: '{"Error":{"Code":"AccessDenied"}}' },
  })
  await row(grid, 'page.html').click()
  await inspector.getByText('doesn’t allow this with the current key').first().waitFor()
  await shot(page, 'browser-inspector-refused')
})

it('shows how files look by Space, one after another, and comes back to the last', async () => {
  const { app, page, grid } = await openFiles()
  const sheet = page.getByRole('dialog')
  await row(grid, 'drawing.svg').click()
  await page.keyboard.press('Space')
  await sheet.getByRole('img', { name: 'Preview of drawing.svg' }).waitFor()
  await shot(page, 'preview')
  await page.keyboard.press('Space')
  await sheet.waitFor({ state: 'detached' })
  await expect.poll(() => focusedRow(page)).toBe('drawing.svg')

  await page.keyboard.press('Space')
  await page.keyboard.press('ArrowDown')
  await sheet.getByText('Files over 5.00 MB have no preview.').waitFor()
  await page.keyboard.press('ArrowDown')
  await sheet.getByRole('region', { name: 'Preview of notes.txt' }).waitFor()
  await page.emulateMedia({ colorScheme: 'dark' })
  await resize({ app, page }, [640, 480])
  await shot(page, 'preview-text-640-dark')
  await page.keyboard.press('ArrowDown')
  await sheet.getByRole('region', { name: 'Preview of page.html' }).waitFor()
  // That was the last.
  await page.keyboard.press('ArrowDown')
  await sheet.getByRole('heading', { name: 'page.html' }).waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(() => focusedRow(page)).toBe('page.html')
  expect(await row(grid, 'page.html').getAttribute('aria-selected')).toBe('true')

  // A folder has no look.
  await page.keyboard.press('Home')
  await page.keyboard.press('Space')
  expect(await sheet.count()).toBe(0)
  // From the menu, with the way on.
  await row(grid, 'dot.png').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Preview' }).click()
  await sheet.getByRole('button', { name: 'Download…' }).click()
  await page.getByRole('dialog', { name: 'Download' }).waitFor()
})

it('says what several come to, and lies over the list of a small window', async () => {
  const { app, page, grid } = await openFiles()
  const inspector = page.getByRole('complementary', { name: 'Inspector' })
  await row(grid, 'raw, folder').click()
  await row(grid, 'page.html').click({ modifiers: ['ControlOrMeta'] })
  await row(grid, 'dot.png').click({ modifiers: ['ControlOrMeta'] })
  await inspector.getByRole('heading', { name: '3 selected' }).waitFor()
  await inspector.getByText('2, 1').first().waitFor()
  await inspector.getByRole('button', { name: 'Calculate folder size' }).click()
  await inspector.getByText('In all: 4 files').waitFor()
  await shot(page, 'browser-inspector-several')

  await resize({ app, page }, [640, 480])
  await inspector.waitFor({ state: 'detached' })
  await row(grid, 'drawing.svg').click()
  await page.getByRole('button', { name: 'Inspector' }).click()
  await inspector.getByRole('img', { name: 'Preview of drawing.svg' }).waitFor()
  await shot(page, 'browser-inspector-small')
  await page.keyboard.press('Escape')
  await inspector.waitFor({ state: 'detached' })
  await row(grid, 'drawing.svg').press('Alt+Enter')
  await inspector.getByRole('img', { name: 'Preview of drawing.svg' }).waitFor()
})
