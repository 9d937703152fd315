import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { tempDir } from '../../support/tools/temp-dir.ts'
import { reads, shot, transferRow } from '../../support/window/desk-window.ts'
import { dropFiles } from '../../support/window/drop-files.ts'
import { launchSluice } from '../../support/window/electron-app.ts'

it('drags finished files out, and takes none back that is let go above the list', async () => {
  const folder = await tempDir()
  const paths = ['film.mov', 'notes.txt'].map((name) => join(folder, name))
  for (const path of paths) await writeFile(path, path)
  const { app, page, close } = await launchSluice({ userDataDir: join(folder, 'user-data') })
  onTestFinished(close)
  await dropFiles(page, paths)
  for (const name of ['film.mov', 'notes.txt']) await reads(transferRow(page, name), /checked|verified/i)
  // The system's own drag can't be let go by a test: what it is given is looked at instead.
  await app.evaluate(({ BrowserWindow }) => {
    const contents = BrowserWindow.getAllWindows()[0]?.webContents
    if (contents === undefined) throw new Error('There is no window.')
    const kept = globalThis as unknown as { dragged: unknown }
    contents.startDrag = ({ files, icon }) => {
      kept.dragged = { files, hasIcon: typeof icon !== 'string' && !icon.isEmpty() }
    }
  })
  const dragged = () => app.evaluate(() => (globalThis as unknown as { dragged: unknown }).dragged)

  await transferRow(page, 'film.mov').click()
  await transferRow(page, 'notes.txt').click({ modifiers: ['ControlOrMeta'] })
  const box = await transferRow(page, 'notes.txt').boundingBox()
  const at = { x: (box?.x ?? 0) + 60, y: (box?.y ?? 0) + 10 }
  await page.mouse.move(at.x, at.y)
  await page.mouse.down()
  await page.mouse.move(at.x + 40, at.y + 40, { steps: 4 })
  await expect.poll(dragged).toEqual({ files: expect.arrayContaining(paths) as string[], hasIcon: true })
  await dropFiles(page, paths)
  await page.mouse.up()
  await page.mouse.move(at.x, at.y, { steps: 2 })
  const queue = await page.evaluate(() => window.sluice.invoke('queue:snapshot', null))
  expect(queue.ok && queue.value.rows.length).toBe(2)
  expect(await page.getByRole('dialog').count()).toBe(0)

  // A rectangle that begins beside the names drags nothing: it selects, and a press beside all rows takes that away.
  await page.keyboard.press('Escape')
  const grid = page.getByRole('treegrid', { name: 'Transfers' })
  const list = await grid.boundingBox()
  const below = { x: (list?.x ?? 0) + 300, y: (list?.y ?? 0) + 300 }
  await page.mouse.move(below.x, below.y)
  await page.mouse.down()
  await page.mouse.move(below.x + 90, (list?.y ?? 0) + 70, { steps: 5 })
  await expect.poll(() => grid.getByRole('row', { selected: true }).count()).toBe(2)
  await shot(page, 'marquee-queue')
  await page.mouse.up()
  await page.mouse.click(below.x, below.y)
  await expect.poll(() => grid.getByRole('row', { selected: true }).count()).toBe(0)
  const beside = (await transferRow(page, 'notes.txt').boundingBox())?.y ?? 0
  await page.mouse.move(below.x, beside + 18)
  await page.mouse.down()
  await page.mouse.move(below.x + 30, beside + 24, { steps: 3 })
  await page.mouse.up()
  await expect.poll(() => transferRow(page, 'notes.txt').getAttribute('aria-selected')).toBe('true')
  expect(await grid.getByRole('row', { selected: true }).count()).toBe(1)

  // Where there is nothing to pause or to resume, Space shows how the file looks.
  await transferRow(page, 'notes.txt').click()
  await page.keyboard.press('Space')
  const look = page.getByRole('dialog', { name: 'notes.txt' })
  await expect.poll(() => look.getByRole('region').textContent()).toBe(paths[1])
  // What was done last is on top.
  const isAbove = (await transferRow(page, 'notes.txt').getAttribute('aria-rowindex')) === '3'
  await page.keyboard.press(isAbove ? 'ArrowDown' : 'ArrowUp')
  await page.getByRole('dialog', { name: 'film.mov' }).getByRole('region', { name: 'Preview of film.mov' }).waitFor()
  await page.keyboard.press('Space')
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('film.mov')
  await rm(paths[0] ?? '')
  await page.keyboard.press('Space')
  await page
    .getByRole('dialog')
    .getByText(/^The file is no longer at/)
    .waitFor()
  await page.keyboard.press('Escape')

  // Another time they come from elsewhere.
  await writeFile(paths[0] ?? '', 'film')
  await dropFiles(page, paths)
  await page.getByRole('dialog', { name: '2 files already exist' }).waitFor()
})
