import { randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, it, onTestFinished } from 'vitest'
import { MIB } from '../../../shared/limits.ts'
import { enqueueLink, reads, shot, transferRow } from '../../support/window/desk-window.ts'
import { createDownloadDesk, type DownloadDesk } from '../../support/window/download-desk.ts'
import { sha256, sha256OfFile } from '../../support/worlds/download-fixture.ts'
import { dropFiles } from '../../support/window/drop-files.ts'
import { choosePaths, launchSluice } from '../../support/window/electron-app.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'

const FILES = 100
const EXPIRED = {
  kind: 'response',
  status: 403,
  body: '<Error><Code>AccessDenied</Code><Message>Request has expired</Message></Error>',
} as const

it('downloads a folder as one row, and takes what failed again', async () => {
  const desk = await createDownloadDesk()
  for (let index = 0; index < FILES; index += 1) await desk.put(`media/raw/${index}.bin`, Buffer.from(`file ${index}`))
  await desk.put('media/notes.txt', Buffer.from('notes'))
  await desk.put('media/film.mov', randomBytes(12 * MIB))
  await desk.put('read me.txt', Buffer.from('read me'))
  await mkdir(join(desk.target, 'media'))
  await writeFile(join(desk.target, 'media', 'notes.txt'), 'of somebody else')
  const failing = { method: 'GET', path: /media\/raw\/7\d?\.bin$/ }
  const rule = desk.proxy.rule({ when: failing, fault: { kind: 'response', status: 404 } })
  const page = await openOn(desk)

  await page.getByRole('button', { name: 'Download…' }).first().click()
  const sheet = page.getByRole('dialog')
  const files = sheet.getByRole('grid', { name: 'Files' })
  await files.getByText('read me.txt').click()
  await sheet.getByText(`1 file selected, 7 bytes`).waitFor()
  await files.getByRole('row', { name: 'media, folder' }).press(' ')
  await sheet.getByText(`${FILES + 3} files selected, 12.6 MB`).waitFor()
  await sheet
    .getByRole('status')
    .filter({ hasText: /^[\d.]+ .B free$/ })
    .waitFor()
  await files.getByRole('button', { name: 'media' }).click()
  // What comes along with its folder can't be left out.
  const notes = files.getByRole('row', { name: 'notes.txt', selected: true })
  await notes.press(' ')
  expect(await notes.isDisabled()).toBe(true)
  await shot(page, 'folder-sheet-inside')
  await notes.press('Backspace')
  await files.getByRole('row', { name: 'read me.txt', selected: true }).waitFor()
  await shot(page, 'folder-sheet')
  await sheet.getByText('Skip identical files').click()
  await sheet.getByRole('button', { name: `Download ${FILES + 3}` }).click()
  await sheet.waitFor({ state: 'detached' })

  const folder = transferRow(page, 'media')
  await reads(folder, '11 files could not be downloaded · 91 of 102 are here')
  await folder.click()
  const inspector = page.getByRole('complementary', { name: 'Inspector' })
  await inspector.getByText('raw/77.bin', { exact: true }).waitFor()
  expect(await inspector.getByText('There is no such file on the server.').count()).toBe(11)
  await shot(page, 'folder-failed')

  const before = desk.proxy.requests({ method: 'GET', path: 'media/' }).length
  rule.remove()
  await folder.getByRole('button', { name: 'Retry' }).click()
  await reads(folder, /102 files · 12.6 MB in .*verified/)
  const again = desk.proxy.requests({ method: 'GET', path: 'media/' }).slice(before)
  expect(again.map(({ url }) => url).filter((url) => !failing.path.test(url))).toEqual([])
  expect(await readdir(join(desk.target, 'media', 'raw'))).toHaveLength(FILES)
  expect((await readdir(join(desk.target, 'media'))).toSorted()).toEqual([
    'film.mov',
    'notes (1).txt',
    'notes.txt',
    'raw',
  ])
  expect(await readFile(join(desk.target, 'media', 'notes.txt'), 'utf8')).toBe('of somebody else')
  expect(await readFile(join(desk.target, 'read me.txt'), 'utf8')).toBe('read me')
  await inspector.getByText('102 on this computer', { exact: true }).waitFor()
  expect(await inspector.getByText('Not downloaded').count()).toBe(0)
  await shot(page, 'folder-done')
})

it('goes on with a new link when the old one has expired', async () => {
  const desk = await createDownloadDesk()
  const bytes = randomBytes(20 * MIB + 5)
  await desk.put('film.mov', bytes)
  const old = { path: '/film.mov', query: { signature: 'old' } }
  // The first request asks for the size.
  const breaks = { kind: 'close', at: { responseBytes: 3 * MIB } } as const
  desk.proxy.rule({ when: { ...old, test: ({ attempt }) => attempt === 2 }, fault: breaks })
  desk.proxy.rule({ when: { ...old, test: ({ attempt }) => attempt > 2 }, fault: EXPIRED })
  const page = await openOn(desk)
  // Of several connections one may meet the end of the link before another has brought anything.
  await page.evaluate(() => window.sluice.invoke('settings:set', { connectionsPerTransfer: 1 }))
  await downloadLink(page, desk.link('film.mov', '?signature=old'))

  const film = transferRow(page, 'film.mov')
  await reads(film, 'The link has expired. What was downloaded is kept.')
  await page.evaluate(
    (text) => window.sluice.invoke('clipboard:write', { text }),
    desk.link('film.mov', '?signature=new'),
  )
  await film.getByRole('button', { name: 'Paste new link…' }).click()
  const sheet = page.getByRole('dialog', { name: 'New link for film.mov' })
  await sheet.getByLabel('Link', { exact: true }).fill('ftp://elsewhere/film.mov')
  await sheet.getByText('A link begins with https:// or http://.').waitFor()
  expect(await sheet.getByRole('button', { name: 'Continue download' }).isDisabled()).toBe(true)
  await shot(page, 'relink-sheet')
  await sheet.getByRole('button', { name: 'Use link from clipboard' }).click()
  await sheet.getByRole('button', { name: 'Continue download' }).click()
  await sheet.waitFor({ state: 'detached' })
  await reads(film, 'verified')
  expect(await sha256OfFile(join(desk.target, 'film.mov'))).toBe(sha256(bytes))
  await shot(page, 'relinked')
})

it('goes on with a partial file that is dropped, and limits it by itself', async () => {
  const desk = await createDownloadDesk()
  const bytes = randomBytes(24 * MIB)
  await desk.put('data.tar', bytes)
  await desk.put('note.txt', Buffer.from('note'))
  const first = await launchSluice({ userDataDir: await tempDir() })
  await choosePaths(first, desk.target)
  await first.page.evaluate(async (downloadsFolder) => {
    await window.sluice.invoke('settings:set', { limitBytesPerSecond: 500_000, downloadsFolder })
  }, desk.target)
  await first.page.reload()
  await downloadLink(first.page, desk.link('data.tar'))
  await expect.poll(() => readdir(desk.target)).toContainEqual(expect.stringMatching(/\.part$/))
  await reads(transferRow(first.page, 'data.tar'), /[1-9][\d.]* (MB )?of/)
  await first.kill()
  const partial = (await readdir(desk.target)).find((name) => name.endsWith('.part')) ?? ''

  const page = await openOn(desk)
  const stranger = join(await tempDir(), 'stranger.part')
  await writeFile(stranger, 'nothing of ours')
  await dropFiles(page, [stranger])
  await page.getByRole('alert').filter({ hasText: 'isn’t a partial download' }).waitFor()
  await shot(page, 'adopt-refused')
  await page.evaluate(() => window.sluice.invoke('settings:set', { limitBytesPerSecond: 200_000 }))
  const upload = join(await tempDir(), 'upload.txt')
  await writeFile(upload, 'upload')
  await dropFiles(page, [join(desk.target, partial), join(desk.target, `${partial}.json`), upload])
  await page.getByText('Continuing 1 download from what is already on this computer.').waitFor()
  for (const name of ['data.tar', 'upload.txt']) {
    await page.getByRole('row', { name, exact: true, selected: true }).waitFor()
  }
  await reads(transferRow(page, 'upload.txt'), 'verified')

  // Once more: the row that has it already is shown, even where a filter hides it.
  await transferRow(page, 'upload.txt').click()
  await page.getByRole('navigation', { name: 'Sidebar' }).getByRole('button', { name: /^Done/ }).click()
  await expect.poll(() => transferRow(page, 'data.tar').count()).toBe(0)
  await dropFiles(page, [join(desk.target, partial)])
  await page.getByRole('row', { name: 'data.tar', exact: true, selected: true }).waitFor()

  const data = transferRow(page, 'data.tar')
  await data.click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Speed limit…' }).click()
  const sheet = page.getByRole('dialog', { name: 'Speed limit for data.tar' })
  await sheet.getByLabel('Speed limit in MB/s').fill('0.5')
  await shot(page, 'limit-sheet')
  await sheet.getByRole('button', { name: 'Set speed limit' }).click()
  await sheet.waitFor({ state: 'detached' })
  await page.getByRole('complementary', { name: 'Inspector' }).getByText('500 kB/s').first().waitFor()
  await shot(page, 'limited')
  await page.evaluate(() => window.sluice.invoke('transfers:set-limit', { ids: 'all', limitBytesPerSecond: null }))
  await page.evaluate(() => window.sluice.invoke('settings:set', { limitBytesPerSecond: null }))
  await reads(data, 'verified')
  expect(await sha256OfFile(join(desk.target, 'data.tar'))).toBe(sha256(bytes))
  // It was another user's, as far as anybody can tell: it is copied, and stays.
  expect((await readdir(desk.target)).sort()).toEqual([partial, `${partial}.json`, 'data.tar'].sort())
})

/** A fresh window on the desk's store, which downloads into the desk's folder. */
it('tells what came of a download of unknown size, and that it starts over once it was paused', async () => {
  const desk = await createDownloadDesk()
  const bytes = randomBytes(4 * MIB)
  await desk.put('stream.bin', bytes)
  const get = { method: 'GET', path: 'stream.bin' }
  const rules = [
    desk.proxy.rule({ when: get, fault: { kind: 'ignore-range' } }),
    desk.proxy.rule({ when: get, fault: { kind: 'framing', as: 'chunked' } }),
    desk.proxy.rule({ when: get, fault: { kind: 'stall', at: { responseBytes: 3 * MIB } } }),
  ]
  const page = await openOn(desk)
  await enqueueLink(page, desk.link('stream.bin'), desk.target)
  const row = transferRow(page, 'stream.bin')
  await reads(row, /^stream\.bin[^]*3\.\d\d MB/)
  await shot(page, 'unknown-size')
  await row.hover()
  await row.getByRole('button', { name: 'Pause' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Pause' }).click()
  await reads(row, 'Paused · starts over when resumed')
  await row.click()
  const inspector = page.getByRole('complementary', { name: 'Inspector' })
  await inspector.getByText(/^Paused\. .* still on the way was dropped and will be downloaded again\.$/).waitFor()
  expect(await page.getByText('0 bytes', { exact: false }).count()).toBe(0)
  await shot(page, 'unknown-size-paused')
  expect(rules.every(({ hits }) => hits > 0)).toBe(true)
  for (const rule of rules) rule.remove()
  await row.getByRole('button', { name: 'Resume' }).click()
  await reads(row, /verified/)
  expect((await readFile(join(desk.target, 'stream.bin'))).equals(bytes)).toBe(true)
})

async function openOn(desk: DownloadDesk): Promise<Page> {
  const sluice = await launchSluice({ userDataDir: await tempDir() })
  onTestFinished(sluice.close)
  const { page } = sluice
  await choosePaths(sluice, desk.target)
  await page.evaluate(
    async ([endpoint, downloadsFolder]) => {
      const who = { scheme: 'STORAGE', signature: 'none', region: '', accessKeyId: '', secretAccessKey: '' } as const
      const where = { name: 'Studio', endpoint, bucket: 'demo', dialect: 'storage', pathStyle: true } as const
      const rest = { profile: '', sessionToken: '', preset: 'storage', color: 'none' } as const
      await window.sluice.invoke('places:add', { ...where, ...who, ...rest })
      await window.sluice.invoke('settings:set', { downloadsFolder })
    },
    [desk.proxy.endpoint, desk.target] as const,
  )
  await page.reload()
  await page.getByRole('button', { name: 'Studio', exact: true }).waitFor()
  return page
}

async function downloadLink(page: Page, link: string): Promise<void> {
  await page.getByRole('button', { name: 'Download…' }).first().click()
  const sheet = page.getByRole('dialog')
  await sheet.getByRole('tab', { name: 'Link or path' }).click()
  await sheet.getByLabel('Links or paths').fill(link)
  await sheet.getByRole('button', { name: 'Continue', exact: true }).click()
  await sheet.getByRole('button', { name: 'Download', exact: true }).click()
  await sheet.waitFor({ state: 'detached' })
}
