import { randomUUID } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { transferRow as fakeRow } from '../../support/fakes/transfer-rows.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'
import { enqueueLink, shot, transferRow } from '../../support/window/desk-window.ts'
import { createDownloadDesk } from '../../support/window/download-desk.ts'
import { choosePaths, launchSluice, textOfPage } from '../../support/window/electron-app.ts'
import { patchRow, tellRows } from '../../support/window/told-rows.ts'

it('goes on with transfers when its page crashes, shows them again, and logs why it went', async () => {
  const desk = await createDownloadDesk()
  await desk.put('film.mov', Buffer.from('the film'))
  const gate = new EventEmitter()
  const get = { method: 'GET', path: 'film.mov' }
  const held = desk.proxy.rule({ when: get, fault: { kind: 'stall', at: 'response', until: once(gate, 'open') } })
  const userDataDir = await tempDir()
  const sluice = await launchSluice({ userDataDir })
  onTestFinished(sluice.close)
  await choosePaths(sluice, desk.target)
  await enqueueLink(sluice.page, desk.link('film.mov'), desk.target)
  await desk.proxy.seen(get)

  const url = await sluice.app.evaluate(async ({ BrowserWindow }) => {
    const contents = BrowserWindow.getAllWindows()[0]?.webContents
    const isLoaded = new Promise<void>((resolve) => contents?.once('did-finish-load', () => resolve()))
    contents?.forcefullyCrashRenderer()
    await isLoaded
    return contents?.getURL()
  })
  expect(url).toBe('app://bundle/index.html')
  gate.emit('open')

  expect(held.hits).toBeGreaterThan(0)
  const kept = () => readFile(join(desk.target, 'film.mov'), 'utf8').catch(() => null)
  await expect.poll(kept).toBe('the film')
  await expect.poll(() => textOfPage(sluice.app)).toMatch(/film\.mov[^]*verified/)
  await expect
    .poll(() => readFile(join(userDataDir, 'logs', 'sluice.log'), 'utf8'))
    .toMatch(/ page gone: \w+, exit code /)
})

it('says so of a row that can’t be drawn, and of what is told of it, and shows all others', async () => {
  const sluice = await launchSluice({ userDataDir: join(await tempDir(), 'user-data') })
  onTestFinished(sluice.close)
  const { page } = sluice
  // No error that there is: drawing such a row throws.
  const error = { code: 'unheard-of' as 'internal', detail: '', serviceCode: null, httpStatus: null, requestId: null }
  const odd = fakeRow({ id: randomUUID(), name: 'odd.mov', status: 'failed', error })
  const other = fakeRow({ id: randomUUID(), name: 'film.mov' })
  await tellRows(sluice, [odd, other])
  await transferRow(page, 'film.mov').waitFor()
  const row = transferRow(page, 'odd.mov')
  await row.getByText('Sluice can’t show this because of an error in the app.').waitFor()
  await row.click()
  const inspector = page.getByRole('complementary', { name: 'Inspector' })
  await inspector.getByText('Sluice can’t show this because of an error in the app.').waitFor()
  await shot(page, 'row-not-drawn')
  await transferRow(page, 'film.mov').click()
  await inspector.getByRole('heading', { name: 'film.mov' }).waitFor()
  // Mended, it is drawn again.
  await patchRow(sluice, { id: odd.id, error: { ...error, code: 'internal' } })
  await row.getByText('Something went wrong in the app.').waitFor()
})

it('says so when its page can’t be drawn, and draws it again', async () => {
  const sluice = await launchSluice({ userDataDir: join(await tempDir(), 'user-data') })
  onTestFinished(sluice.close)
  const { app, page } = sluice
  // No number that there is: drawing what is told of an update throws.
  await app.evaluate(({ BrowserWindow }) => {
    const status = { host: null, installs: true, asksConsent: false, isAskedFor: true, checkedAtMs: null }
    const step = { kind: 'downloading', version: '9.0.0', fraction: 0n }
    BrowserWindow.getAllWindows()[0]?.webContents.send('updates:changed', { ...status, step })
  })
  await page.getByText('Transfers continue.').waitFor()
  await page.getByRole('button', { name: 'Reload' }).click()
  await page.getByRole('navigation', { name: 'Sidebar' }).waitFor()
})
