import { readdir, mkdir, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { MIB } from '../../../shared/limits.ts'
import { reads, shot, transferRow } from '../../support/window/desk-window.ts'
import { dropFiles } from '../../support/window/drop-files.ts'
import { launchSluice, type LaunchedSluice } from '../../support/window/electron-app.ts'
import { sha256Of, writeRandomFile } from '../../support/tools/random-file.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'

/** `test/crash` kills the engine itself more often: these kills are about the app around it. */
const KILLS = Number(process.env['SLUICE_KILLS'] ?? 8)

it('uploads dropped files and says what was verified', async () => {
  const { folder, page } = await openWindow()
  const sizes = { 'empty.txt': 0, 'note.bin': 5 * MIB + 1, 'film.mov': 64 * MIB + 7 }
  const paths = await makeFiles(folder, sizes)
  await dropFiles(page, paths)
  for (const path of paths) await reads(transferRow(page, basename(path)), /verified/)
  expect(await page.getByRole('treegrid', { name: 'Transfers' }).getAttribute('aria-rowcount')).toBe('5')
  await shot(page, 'dropped')
})

it('says what is under way of an upload before a part of it is confirmed, and copies its ID', async () => {
  const { app, folder, page } = await openWindow()
  await setLimit(page, 200_000)
  await dropFiles(page, await makeFiles(folder, { 'slow.mov': 20_000_000 }))
  await page.getByRole('button', { name: 'Limit: 200 kB/s' }).waitFor()
  const row = transferRow(page, 'slow.mov')
  await reads(row, /0 of 20\.0 MB · [\d.]+ [kM]B under way/)
  await row.click()
  const facts = page.getByRole('complementary').getByRole('term')
  await expect.poll(() => facts.allInnerTexts()).toEqual(expect.arrayContaining(['Confirmed', 'Under way']))
  await shot(page, 'upload-under-way')
  const uploadId = page.getByRole('definition').filter({ has: page.getByRole('button', { name: 'Copy Upload ID' }) })
  await uploadId.getByRole('button').click()
  await page.getByRole('status').filter({ hasText: 'Upload ID copied.' }).waitFor()
  const copied = await app.evaluate(({ clipboard }) => clipboard.readText())
  expect(copied.length).toBeGreaterThan(20)
  expect(copied).toBe(await uploadId.innerText())
  // What is kept is what is confirmed.
  await row.getByRole('button', { name: 'Pause' }).click()
  await reads(row, /Paused · [\d.]+ of 20\.0 MB/)
  expect(await row.innerText()).not.toContain('under way')
})

it('continues a paused download after a restart', async () => {
  const window = await openWindow()
  const { folder, page, userDataDir, close } = window
  const [source = ''] = await makeFiles(folder, { 'data.tar': 48 * MIB + 3 })
  await dropFiles(page, [source])
  await reads(transferRow(page, 'data.tar'), /verified/)
  await setLimit(page, MIB / 2)
  await download(window, 'data.tar', folder)
  const downloading = transferRow(page, 'data.tar').filter({ has: page.getByRole('img', { name: 'Download' }) })
  await reads(downloading, /[1-9][\d.]* of 50\.3 MB/)
  await downloading.getByRole('button', { name: 'Pause' }).click()
  await reads(downloading, /Paused · /)
  expect(await readdir(join(folder, 'downloads'))).not.toContain('data.tar')
  await close()

  const again = await launch(userDataDir)
  const paused = transferRow(again.page, 'data.tar').filter({ has: again.page.getByRole('img', { name: 'Download' }) })
  await reads(paused, /Paused · /)
  await setLimit(again.page, null)
  await paused.getByRole('button', { name: 'Resume' }).click()
  await reads(paused, /verified/)
  expect(await readdir(join(folder, 'downloads'))).toEqual(['data.tar'])
  expect(await sha256Of(join(folder, 'downloads', 'data.tar'))).toBe(await sha256Of(source))
  await shot(again.page, 'resumed')
})

it(`loses nothing when the app is killed up to ${KILLS} times`, { timeout: 600_000 }, async () => {
  const first = await openWindow()
  const { folder, userDataDir } = first
  const [there = '', up = ''] = await makeFiles(folder, { 'down.bin': 96 * MIB, 'up.bin': 96 * MIB + 1 })
  await dropFiles(first.page, [there])
  await reads(transferRow(first.page, 'down.bin'), /verified/)
  await setLimit(first.page, 4 * MIB)
  await download(first, 'down.bin', folder)
  await dropFiles(first.page, [up])
  // What was dropped is taken once it has its row: a kill before that leaves nothing to lose.
  await transferRow(first.page, 'up.bin').waitFor()
  let app = first
  // Once up before; down and up again.
  const whole = 3 * 96 * MIB
  let confirmed = 0
  let interrupting = 0
  // Where starting takes long, all of it is through before the last kill.
  while (interrupting < KILLS && confirmed < whole) {
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 1500))
    await app.kill()
    app = { ...first, ...(await launch(userDataDir)) }
    const now = await confirmedBytes(app.page)
    expect(now).toBeGreaterThanOrEqual(confirmed)
    confirmed = now
    if (confirmed < whole) interrupting += 1
  }
  expect(interrupting).toBeGreaterThan(1)
  await setLimit(app.page, null)
  await reads(transferRow(app.page, 'up.bin'), /verified/)
  await reads(
    transferRow(app.page, 'down.bin').filter({ has: app.page.getByRole('img', { name: 'Download' }) }),
    /verified/,
  )
  expect(await sha256Of(join(folder, 'downloads', 'down.bin'))).toBe(await sha256Of(there))
  await download(app, 'up.bin', folder)
  await reads(
    transferRow(app.page, 'up.bin').filter({ has: app.page.getByRole('img', { name: 'Download' }) }),
    /verified/,
  )
  expect(await sha256Of(join(folder, 'downloads', 'up.bin'))).toBe(await sha256Of(up))
})

async function openWindow() {
  const folder = await tempDir()
  const userDataDir = join(folder, 'user-data')
  await mkdir(join(folder, 'downloads'))
  return { folder, userDataDir, ...(await launch(userDataDir)) }
}

async function launch(userDataDir: string) {
  const app = await launchSluice({ userDataDir })
  await app.page.getByRole('treegrid', { name: 'Transfers' }).waitFor({ state: 'attached' })
  return app
}

async function makeFiles(folder: string, sizes: Readonly<Record<string, number>>): Promise<string[]> {
  const paths: string[] = []
  for (const [name, sizeBytes] of Object.entries(sizes)) {
    const path = join(folder, name)
    await (sizeBytes === 0 ? writeFile(path, '') : writeRandomFile(path, sizeBytes))
    paths.push(path)
  }
  return paths
}

async function setLimit(page: Page, limitBytesPerSecond: number | null): Promise<void> {
  await page.evaluate(
    async (limit) => window.sluice.invoke('settings:set', { limitBytesPerSecond: limit }),
    limitBytesPerSecond,
  )
}

/** Picks objects of the demo store in the window's own sheet; the system's folder dialog answers by itself. */
async function download({ app, page }: LaunchedSluice, name: string, folder: string): Promise<void> {
  await app.evaluate(
    ({ dialog }, path) => {
      dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [path] })
    },
    join(folder, 'downloads'),
  )
  await page.getByRole('button', { name: 'Download…' }).first().click()
  const sheet = page.getByRole('dialog')
  await sheet.getByText(name, { exact: true }).click()
  await sheet.getByRole('button', { name: 'Choose…' }).click()
  await sheet.getByText(join(folder, 'downloads')).waitFor()
  await sheet.getByRole('button', { name: /^Download/ }).click()
  await sheet.waitFor({ state: 'detached' })
}

async function confirmedBytes(page: Page): Promise<number> {
  const reply = await page.evaluate(async () => window.sluice.invoke('queue:snapshot', null))
  return reply.ok ? reply.value.rows.reduce((sum, each) => sum + each.confirmedBytes, 0) : -1
}
