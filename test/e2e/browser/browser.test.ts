import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { namesIn, openStudio, openWorld, pictures, row } from '../../support/window/browser-world.ts'
import { shot } from '../../support/window/desk-window.ts'
import { dropFiles, watchDragImages } from '../../support/window/drop-files.ts'
import { resize } from '../../support/window/told-rows.ts'
import { holdToasts } from '../../support/window/held-waits.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'
import { signal } from '../../stores/support/open-store.ts'

it('browses, sorts, filters and finds by keyboard', async () => {
  const world = await openWorld()
  const { app, page, put } = world
  for (const key of ['media/raw/a.bin', 'media/raw/b.bin', 'media/cut.mov', 'media/audio.wav', 'zebra.txt']) {
    await put(key, key.repeat(key.length))
  }
  await put('readme.md', 'read me')
  await openStudio(page)
  const grid = page.getByRole('grid', { name: 'Files' })
  await expect.poll(() => namesIn(grid)).toEqual(['media, folder', 'readme.md', 'zebra.txt'])
  await page.getByText('1 folder, 2 files').waitFor()
  await pictures(world, 'browser')

  // Focus came along with the place that was pressed; keys do the rest.
  await row(grid, 'media, folder').focus()
  await page.keyboard.press('Enter')
  await expect.poll(() => namesIn(grid)).toEqual(['raw, folder', 'audio.wav', 'cut.mov'])
  // The words are at the other end of the head.
  await grid.getByRole('columnheader', { name: 'Size' }).click({ position: { x: 3, y: 3 } })
  await expect.poll(() => namesIn(grid)).toEqual(['raw, folder', 'cut.mov', 'audio.wav'])
  expect(await grid.getByRole('columnheader', { name: 'Size' }).getAttribute('aria-sort')).toBe('ascending')
  await row(grid, 'raw, folder').focus()
  await page.keyboard.type('au')
  await grid.getByRole('row', { name: 'audio.wav', selected: true }).waitFor()
  await page.keyboard.press('ControlOrMeta+c')
  await expect.poll(() => app.evaluate(({ clipboard }) => clipboard.readText())).toBe('media/audio.wav')
  await page.keyboard.press('ControlOrMeta+A')
  await page.getByText('3 selected,').waitFor()
  await page.keyboard.press('Backspace')
  await expect.poll(() => namesIn(grid)).toEqual(['media, folder', 'readme.md', 'zebra.txt'])
  expect(await row(grid, 'media, folder').evaluate((element) => element === document.activeElement)).toBe(true)

  await page.keyboard.press('ControlOrMeta+F')
  await page.keyboard.type('ZEB')
  await expect.poll(() => namesIn(grid)).toEqual(['zebra.txt'])
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await row(grid, 'media, folder').dblclick()
  await page.getByRole('navigation', { name: 'Folder' }).getByText('media', { exact: true }).waitFor()
})

it('stays in place when a place is opened first, so that no click goes astray', async () => {
  const { page } = await openWorld()
  const add = page.getByRole('button', { name: 'Add place…' }).first()
  const tops = await add.evaluateHandle((button) => {
    const seen = new Set([button.getBoundingClientRect().top])
    const look = () => void seen.add(button.getBoundingClientRect().top)
    new MutationObserver(look).observe(document.body, { childList: true, subtree: true })
    return seen
  })
  await openStudio(page)
  expect(await tops.evaluate((seen) => [...seen])).toHaveLength(1)
})

it('draws heads and rows up to the edge of their list at every width, or up to its scroll bar', async () => {
  const { app, page, put } = await openWorld()
  await put('one.txt', 'x')
  for (let index = 0; index < 40; index += 1) await put(`many/${String(index)}.txt`, 'x')
  await openStudio(page)
  const grid = page.getByRole('grid', { name: 'Files' })
  /** Where the list ends, as far as it can be drawn on, and where heads and rows do. */
  const ends = () =>
    grid.evaluate((list) => {
      const scroller = list.querySelector('[role="rowgroup"]')?.parentElement
      const { left = 0 } = scroller?.getBoundingClientRect() ?? {}
      const rows = [...list.querySelectorAll('[role="row"]')]
      return {
        barPx: list.clientWidth - (scroller?.clientWidth ?? 0),
        all: [
          ...new Set([left + (scroller?.clientWidth ?? 0), ...rows.map((each) => each.getBoundingClientRect().right)]),
        ],
      }
    })
  for (const width of [640, 800, 1080, 1500]) {
    await resize({ app, page }, [width, 720])
    await row(grid, 'one.txt').waitFor()
    const short = await ends()
    expect(short.all, String(width)).toHaveLength(1)
    expect(short.barPx, String(width)).toBe(0)
    await row(grid, 'many, folder').press('Enter')
    await row(grid, '0.txt').waitFor()
    const long = await ends()
    expect(long.all, String(width)).toHaveLength(1)
    expect(long.barPx, String(width)).toBeGreaterThan(0)
    await row(grid, '0.txt').press('Backspace')
  }
})

it('shows which folder is open however deep it is', async () => {
  const world = await openWorld()
  const { page, put } = world
  const folders = Array.from({ length: 24 }, (_, index) => `a folder with a long name ${String(index)}`)
  await put(`${folders.join('/')}/file.txt`, 'x')
  await openStudio(page)
  const grid = page.getByRole('grid', { name: 'Files' })
  for (const [index, folder] of folders.entries()) {
    await row(grid, `${folder}, folder`).press('Enter')
    if (index === 5) await pictures(world, 'browser-deep')
  }
  await row(grid, 'file.txt').waitFor()
  await pictures(world, 'browser-deepest')
  const path = page.getByRole('navigation', { name: 'Folder' })
  const [around, last] = await Promise.all([path.boundingBox(), path.getByRole('button').last().boundingBox()])
  expect(last?.width).toBeGreaterThan(100)
  expect((last?.x ?? 0) + (last?.width ?? 0)).toBeLessThanOrEqual((around?.x ?? 0) + (around?.width ?? 0))
  await row(grid, 'file.txt').press('Backspace')
  await row(grid, `${folders.at(-1) ?? ''}, folder`).waitFor()
})

it('downloads the open folder where nothing is selected, and says that it does', async () => {
  const world = await openWorld()
  const { page, put, downloads } = world
  await put('2026/one.txt', 'one')
  await put('2026/deep/two.txt', 'two')
  await openStudio(page)
  const grid = page.getByRole('grid', { name: 'Files' })
  await row(grid, '2026, folder').waitFor()
  const button = page.getByRole('toolbar', { name: 'Actions' }).getByRole('button', { name: 'Download…' })
  const tooltip = page.getByRole('tooltip')
  // A whole bucket has to be selected.
  await button.hover()
  await tooltip.filter({ hasText: 'Select what to download' }).waitFor()
  expect(await button.isDisabled()).toBe(true)
  await row(grid, '2026, folder').dblclick()
  await row(grid, 'one.txt').waitFor()
  await button.hover()
  await tooltip.filter({ hasText: 'Download the open folder, 2026' }).waitFor()
  await pictures(world, 'browser-download-folder')
  await button.click()
  const sheet = page.getByRole('dialog', { name: 'Download 2026' })
  await sheet.getByText('2 files, 6 bytes').waitFor()
  await sheet.getByRole('button', { name: 'Download 2 files' }).click()
  const contentOf = (path: string) => readFile(join(downloads, '2026', path), 'utf8').catch(() => '')
  await expect.poll(() => contentOf('one.txt')).toBe('one')
  await expect.poll(() => contentOf('deep/two.txt')).toBe('two')
})

it('downloads a copy of what the list downloads already, when one is asked for', async () => {
  const { page, put, downloads } = await openWorld()
  await put('film.mov', 'the film')
  await openStudio(page)
  const film = row(page.getByRole('grid', { name: 'Files' }), 'film.mov')
  const toolbar = page.getByRole('toolbar', { name: 'Actions' })
  const sheet = page.getByRole('dialog')
  async function addFilm(): Promise<void> {
    await film.click()
    await toolbar.getByRole('button', { name: 'Download…' }).click()
    await sheet.getByRole('button', { name: 'Add paused' }).click()
    await sheet.waitFor({ state: 'detached' })
  }
  const added = page.getByRole('status').filter({ hasText: '1 download added' })
  await holdToasts(page)
  await addFilm()
  await added.getByRole('button', { name: 'Close message' }).click()
  await added.waitFor({ state: 'detached' })
  await addFilm()
  const told = page.getByRole('status').filter({ hasText: 'film.mov is already in the list.' })
  await told.getByRole('button', { name: 'Show' }).waitFor()
  await shot(page, 'already-in-the-list')
  await told.getByRole('button', { name: 'Download a copy' }).click()
  await added.waitFor()
  await page.getByRole('button', { name: 'Paused 2' }).click()
  await toolbar.getByRole('button', { name: 'Resume all' }).click()
  for (const name of ['film.mov', 'film (1).mov'])
    await expect.poll(() => textOf(join(downloads, name))).toBe('the film')
})

it('downloads, describes, links, deletes and makes folders', async () => {
  const world = await openWorld()
  const { page, put, store, downloads } = world
  await put('film.mov', 'the film')
  await put('raw/1.bin', 'one')
  await put('raw/deep/2.bin', 'two')
  await openStudio(page)
  const grid = page.getByRole('grid', { name: 'Files' })
  await row(grid, 'raw, folder').click()
  await row(grid, 'film.mov').click({ modifiers: ['ControlOrMeta'] })
  await page.getByRole('toolbar', { name: 'Actions' }).getByRole('button', { name: 'Download…' }).click()
  const sheet = page.getByRole('dialog')
  await sheet.getByText('3 files, 14 bytes').waitFor()
  await pictures(world, 'browser-download')
  const endToasts = await holdToasts(page)
  await sheet.getByRole('button', { name: 'Download 3 files' }).click()
  // What says that they are here takes nothing away that is still to be read.
  await page
    .getByRole('status')
    .filter({ hasText: /2 downloaded · 14 bytes in / })
    .waitFor()
  await page.getByText('2 downloads added').waitFor()
  await pictures(world, 'toasts')
  await endToasts()
  await expect.poll(() => textOf(join(downloads, 'film.mov'))).toBe('the film')
  await expect.poll(() => textOf(join(downloads, 'raw/deep/2.bin'))).toBe('two')

  await row(grid, 'film.mov').click()
  await row(grid, 'film.mov').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Properties' }).click()
  const inspector = page.getByRole('complementary', { name: 'Inspector' })
  await inspector.getByText('8 bytes', { exact: true }).waitFor()
  await inspector.getByRole('button', { name: 'Copy ETag' }).waitFor()
  await inspector.getByRole('button', { name: 'Copy link…' }).click()
  await sheet.getByText('1 hour').click()
  await pictures(world, 'browser-link')
  await sheet.getByRole('button', { name: 'Copy link' }).click()
  await sheet.waitFor({ state: 'detached' })
  const link = await page.evaluate(async () => {
    const reply = await window.sluice.invoke('clipboard:link', null)
    return reply.ok ? reply.value : null
  })
  const response = await fetch(link ?? '')
  expect([response.status, await response.text()]).toEqual([200, 'the film'])
  expect((await fetch(`${link ?? ''}x`)).status).toBe(403)

  await page.getByRole('button', { name: 'New folder…' }).click()
  await sheet.getByLabel('Name').fill('raw')
  await sheet.getByText('A folder with that name already exists.').waitFor()
  await sheet.getByLabel('Name').fill('2026')
  await sheet.getByRole('button', { name: 'Create folder' }).click()
  await row(grid, '2026, folder').waitFor()
  expect((await store.headObject({ key: '2026/', signal })).sizeBytes).toBe(0)

  await row(grid, 'raw, folder').click()
  await page.keyboard.press('Delete')
  const question = page.getByRole('alertdialog', { name: 'Delete raw?' })
  await question.getByText('2 files, 6 bytes. This can’t be undone.').waitFor()
  expect(await question.getByRole('button', { name: 'Cancel' }).evaluate((it) => it === document.activeElement)).toBe(
    true,
  )
  await pictures(world, 'browser-delete')
  await question.getByRole('button', { name: 'Delete' }).click()
  await page.getByText('2 files deleted.').waitFor()
  await expect.poll(() => namesIn(grid)).toEqual(['2026, folder', 'film.mov'])
  // The keyboard goes on from where it was, not from the top.
  await expect.poll(() => row(grid, 'film.mov').evaluate((it) => it === document.activeElement)).toBe(true)
  expect((await store.listObjects({ signal })).objects.map(({ key }) => key)).toEqual(['2026/', 'film.mov'])
  await row(grid, '2026, folder').dblclick()
  await page.getByText('This folder is empty · drop files here to upload them').waitFor()
})

it('uploads what is dropped on a folder, and shows it', async () => {
  const { page, put, store } = await openWorld()
  await put('media/old.txt', 'old')
  await openStudio(page)
  const grid = page.getByRole('grid', { name: 'Files' })
  const source = join(await tempDir(), 'new.txt')
  await writeFile(source, 'new')
  const { x, y, width, height } = (await row(grid, 'media, folder').boundingBox()) ?? {
    x: 0,
    y: 0,
    width: 0,
    height: 0,
  }
  const middle = { x: x + width / 2, y: y + height / 2 }
  await dropFiles(page, [source], middle)
  await expect.poll(async () => (await store.listObjects({ signal, prefix: 'media/' })).objects.length).toBe(2)
  await row(grid, 'media, folder').dblclick()
  await expect.poll(() => namesIn(grid)).toEqual(['new.txt', 'old.txt'])

  // The name is taken now; a folder goes through the sheet, with the folder that is open.
  await writeFile(source, 'newer')
  await dropFiles(page, [source])
  const taken = page.getByRole('dialog', { name: 'new.txt already exists' })
  await taken.getByRole('button', { name: 'Upload' }).click()
  await row(grid, 'new (1).txt').waitFor()
  expect(await row(grid, 'new.txt').textContent()).toContain('3 bytes')
  const shoot = join(await tempDir(), 'shoot')
  await mkdir(shoot)
  await writeFile(join(shoot, 'one.txt'), 'one')
  await dropFiles(page, [shoot])
  const sheet = page.getByRole('dialog', { name: 'Upload shoot' })
  expect(await sheet.getByLabel('Folder in Studio').inputValue()).toBe('media/')
  await shot(page, 'browser-upload')
  await sheet.getByRole('button', { name: 'Upload', exact: true }).click()
  await expect
    .poll(async () => (await store.listObjects({ signal, prefix: 'media/shoot/' })).objects.map(({ key }) => key))
    .toEqual(['media/shoot/one.txt'])

  await store.createMultipartUpload({ key: 'media/half.bin', signal })
  await page.getByRole('button', { name: 'Refresh' }).click()
  await page.getByRole('button', { name: '1 unfinished upload' }).click()
  await page.getByRole('dialog', { name: 'Unfinished uploads in Studio' }).getByText('media/half.bin').waitFor()
})

it('lists buckets when a place names none, and says what is wrong', async () => {
  const { page, put } = await openWorld({ bucket: '' })
  await put('film.mov', 'the film')
  await openStudio(page)
  const grid = page.getByRole('grid', { name: 'Files' })
  await expect.poll(() => namesIn(grid)).toEqual(['empty, bucket', 'media, bucket'])
  await shot(page, 'browser-buckets')
  await row(grid, 'media, bucket').dblclick()
  await expect.poll(() => namesIn(grid)).toEqual(['film.mov'])
  await page.keyboard.press('Backspace')
  await row(grid, 'empty, bucket').dblclick()
  await page.getByText('This bucket is empty · drop files here to upload them').waitFor()
  await shot(page, 'browser-empty')
  const failing = await openWorld({ bucket: 'nowhere' })
  await openStudio(failing.page)
  await failing.page.getByRole('alert').filter({ hasText: 'There is no bucket named “nowhere”.' }).waitFor()
  await failing.page.getByRole('button', { name: 'Retry' }).waitFor()
  await shot(failing.page, 'browser-error')
  await failing.page.emulateMedia({ colorScheme: 'dark' })
  await shot(failing.page, 'browser-error-dark')
})

it('downloads rows that are dragged out', async () => {
  const { page, put, downloads } = await openWorld()
  await put('a.txt', 'a')
  await put('b.txt', 'b')
  await put('c.txt', 'c')
  await openStudio(page)
  const grid = page.getByRole('grid', { name: 'Files' })
  await row(grid, 'a.txt').click()
  await row(grid, 'b.txt').click({ modifiers: ['Shift'] })
  const dragImages = await watchDragImages(page)
  await row(grid, 'b.txt').hover()
  await page.mouse.down()
  await row(grid, 'c.txt').hover()
  await expect.poll(dragImages).toEqual(['2 items'])
  const zone = page.getByText('Download 2 items to')
  await zone.hover()
  await shot(page, 'browser-drag')
  await page.mouse.up()
  await expect.poll(() => textOf(join(downloads, 'a.txt'))).toBe('a')
  await expect.poll(() => textOf(join(downloads, 'b.txt'))).toBe('b')
  await expect.poll(() => zone.count()).toBe(0)
  expect(await textOf(join(downloads, 'c.txt'))).toBeNull()
})

it('T66: shows keys with controls and bidirectional marks written out, in rows of the same height', async () => {
  const { page, put, store } = await openWorld()
  const spoofed = 'holiday\u202egpj.exe'
  for (const key of [
    spoofed,
    'two\nlines\u0007.txt',
    `${'\u202e\u2066'.repeat(9)}folder/${spoofed}`,
    `report.pdf${' '.repeat(500)}.exe`,
    'x'.repeat(900),
  ]) {
    await put(key, key)
  }
  await openStudio(page)
  const grid = page.getByRole('grid', { name: 'Files' })
  await row(grid, 'holiday‛u202egpj.exe').getByText('holiday‛u202egpj.exe', { exact: true }).waitFor()
  await row(grid, 'two␊lines␇.txt').waitFor()
  const rows = grid.getByRole('row').filter({ has: page.getByRole('gridcell') })
  expect(new Set(await rows.evaluateAll((all) => all.map((each) => each.getBoundingClientRect().height)))).toEqual(
    new Set([32]),
  )
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
  expect(await page.evaluate(() => /[\u202a-\u202e\u2066-\u2069]/.test(document.body.innerText))).toBe(false)
  await shot(page, 'browser-controls')
  // However long a name is, it does not hide what kind of file it is.
  const isWhole = await grid
    .locator('bdi', { hasText: 'report.pdf' })
    .evaluate((name) => name.textContent.endsWith('.exe') && name.scrollWidth <= name.clientWidth)
  expect(isWhole).toBe(true)

  await row(grid, 'holiday‛u202egpj.exe').click()
  const sheet = page.getByRole('alertdialog', { name: 'Delete holiday‛u202egpj.exe?' })
  if (process.platform === 'darwin') {
    // As the Finder has it; keyboards of a Mac have no Delete.
    await page.keyboard.press('Meta+Backspace')
  } else {
    // Deletes a word elsewhere, and must neither ask nor lead to the folder above.
    await page.keyboard.press('Control+Backspace')
    await page.waitForTimeout(300)
    expect(await sheet.count()).toBe(0)
    await page.keyboard.press('Delete')
  }
  await sheet.getByRole('button', { name: 'Delete' }).click()
  await page.getByText('1 file deleted.').waitFor()
  const { objects } = await store.listObjects({ signal })
  expect(objects.map(({ key }) => key)).not.toContain(spoofed)
  expect(objects).toHaveLength(4)
})

function textOf(path: string): Promise<string | null> {
  return readFile(path, 'utf8').catch(() => null)
}
