import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { reads, shot } from '../../support/window/desk-window.ts'
import { dropFiles } from '../../support/window/drop-files.ts'
import { launchSluice, type LaunchedSluice, type LaunchOptions } from '../../support/window/electron-app.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'

it('uploads a dropped folder as one row, after saying what it comes to', async () => {
  const folder = await tempDir()
  const shoot = join(folder, 'Shoot 12 Nov')
  await mkdir(join(shoot, 'raw'), { recursive: true })
  await mkdir(join(shoot, 'nothing'))
  const names = Array.from({ length: 40 }, (_, number) => join(shoot, number % 2 ? 'raw' : '', `IMG_${number}.jpg`))
  await Promise.all(names.map((name) => writeFile(name, name.repeat(200))))
  await writeFile(join(shoot, '.DS_Store'), 'x')
  await symlink('raw', join(shoot, 'latest'), 'junction')
  const { page } = await openWindow()

  await dropFiles(page, [shoot])
  const sheet = page.getByRole('dialog', { name: 'Upload Shoot 12 Nov' })
  await reads(sheet.getByRole('status'), /^40 files, [\d.]+ kB · 1 empty folder will be skipped$/)
  await sheet.getByRole('button', { name: '2 files will be skipped', expanded: false }).click()
  await reads(sheet, /latest\s*Symbolic link/)
  await sheet.getByRole('textbox', { name: /Folder in/ }).fill('/media/2026')
  await reads(sheet, /media\/2026\/Shoot 12 Nov/)
  await shot(page, 'upload-folder-sheet')
  await sheet.getByRole('button', { name: 'Upload 40 files' }).click()

  const row = page.getByRole('row').filter({ hasText: 'Shoot 12 Nov' })
  await reads(row, /40 files · .* · verified \(MD5\)/)
  expect(await page.getByRole('treegrid', { name: 'Transfers' }).getAttribute('aria-rowcount')).toBe('3')
  await row.click()
  await reads(page.getByRole('complementary', { name: 'Inspector' }), /40 on the server.*Left out 2/s)
  await shot(page, 'upload-folder-done')
})

it('keeps what is dropped before it knows of its places, and then asks about it', async () => {
  const folder = join(await tempDir(), 'Shoot')
  await mkdir(folder)
  await writeFile(join(folder, 'a.jpg'), 'a')
  const { app, page } = await openWindow({ preload: join(import.meta.dirname, 'hold-places.cjs') })
  const demo = page.getByRole('button', { name: 'Demo store', exact: true })
  await dropFiles(page, [folder])
  expect(await demo.count()).toBe(0)

  await app.evaluate(({ app: main }) => {
    const events: NodeJS.EventEmitter = main
    events.emit('test-tells-places')
  })
  await reads(page.getByRole('dialog'), /Upload Shoot.*Demo store/s)
})

it('leads the keyboard to what a sheet added, not back to the row that had it before', async () => {
  const folder = await tempDir()
  await mkdir(join(folder, 'Shoot'))
  for (const name of ['letter.pdf', 'Shoot/a.jpg']) await writeFile(join(folder, name), 'a')
  const { page } = await openWindow()
  const grid = page.getByRole('treegrid', { name: 'Transfers' })
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))
  await dropFiles(page, [join(folder, 'letter.pdf')])
  await expect.poll(focused).toBe('letter.pdf')
  await dropFiles(page, [join(folder, 'Shoot')])
  await page.getByRole('dialog').getByRole('button', { name: 'Upload', exact: true }).click()
  await grid.getByRole('row', { name: 'Shoot', selected: true }).waitFor()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  // Focus goes back to where it was a frame after the sheet is gone.
  await page.evaluate(
    () =>
      new Promise((resolve) => {
        requestAnimationFrame(() => requestAnimationFrame(resolve))
      }),
  )
  await expect.poll(focused).toBe('Shoot')
})

it('shows what was uploaded in the folder that is open', async () => {
  const shoot = join(await tempDir(), 'Shoot')
  await mkdir(shoot)
  await writeFile(join(shoot, 'a.jpg'), 'a')
  const { page } = await openWindow()
  await page.getByRole('button', { name: 'Demo store', exact: true }).click()
  await page.getByText('This bucket is empty').waitFor()
  await page.locator(':focus').blur()
  await dropFiles(page, [shoot])
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Escape')
  // Nothing had focus before the drop; the list has it now.
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('grid')
  await dropFiles(page, [shoot])
  await page.getByRole('dialog').getByRole('button', { name: 'Upload' }).click()
  await page.getByText('1 upload added').waitFor()
  await page.getByRole('grid', { name: 'Files' }).getByRole('row', { name: 'Shoot, folder' }).waitFor()
})

it('shows in the folder that is open what has been uploaded so far', async () => {
  const shoot = join(await tempDir(), 'Shoot')
  await mkdir(shoot)
  await writeFile(join(shoot, 'a.jpg'), 'a')
  await writeFile(join(shoot, 'film.mov'), Buffer.alloc(20_000_000))
  const { page } = await openWindow()
  await page.evaluate(() => window.sluice.invoke('settings:set', { limitBytesPerSecond: 10_000 }))
  await page.getByRole('button', { name: 'Demo store', exact: true }).click()
  await page.getByText('This bucket is empty').waitFor()
  await dropFiles(page, [shoot])
  await page.getByRole('dialog').getByRole('button', { name: 'Upload' }).click()
  await page.getByRole('grid', { name: 'Files' }).getByRole('row', { name: 'Shoot, folder' }).waitFor()
  await page.getByRole('button', { name: 'Active 1' }).waitFor()
})

it('adds an upload to the queue without starting it, with a button or keys', async () => {
  const folder = await tempDir()
  for (const name of ['One', 'Two']) {
    await mkdir(join(folder, name))
    await writeFile(join(folder, name, 'a.jpg'), 'a')
  }
  const { page } = await openWindow()
  await dropFiles(page, [join(folder, 'One')])
  const sheet = page.getByRole('dialog')
  await reads(sheet.getByRole('status'), /1 file/)
  await shot(page, 'upload-sheet-add-paused')
  await sheet.getByRole('button', { name: 'Add paused' }).click()
  const row = (name: string) => page.getByRole('row', { name, exact: true })
  await reads(row('One'), /Paused/)
  await dropFiles(page, [join(folder, 'Two')])
  await reads(sheet.getByRole('status'), /1 file/)
  await page.keyboard.press('Alt+Enter')
  await reads(row('Two'), /Paused/)
  await row('One').getByRole('button', { name: 'Resume' }).click()
  await reads(row('One'), /verified/)
  await reads(row('Two'), /Paused/)
})

async function openWindow(options: Pick<LaunchOptions, 'preload'> = {}): Promise<LaunchedSluice> {
  const launched = await launchSluice({ userDataDir: await tempDir(), ...options })
  onTestFinished(() => launched.close())
  return launched
}
