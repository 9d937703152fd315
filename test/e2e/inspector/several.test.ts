import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { MIB } from '../../../shared/limits.ts'
import { transferRow as fakeRow } from '../../support/fakes/transfer-rows.ts'
import { writeRandomFile } from '../../support/tools/random-file.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'
import { reads, shot, transferRow } from '../../support/window/desk-window.ts'
import { dropFiles } from '../../support/window/drop-files.ts'
import { launchSluice } from '../../support/window/electron-app.ts'
import { tellRows } from '../../support/window/told-rows.ts'

it('adds up several selected transfers, and looks into the one that is left', async () => {
  const folder = await tempDir()
  const { app, page, close } = await launchSluice({ userDataDir: join(folder, 'user-data') })
  onTestFinished(close)
  for (const [name, sizeBytes] of [
    ['a.mov', 2 * MIB],
    ['b.mov', 3 * MIB],
  ] as const) {
    await writeRandomFile(join(folder, name), sizeBytes)
    await dropFiles(page, [join(folder, name)])
    await reads(transferRow(page, name), 'verified')
  }
  const inspector = page.getByRole('complementary', { name: 'Inspector' })
  await transferRow(page, 'a.mov').click()
  await inspector.getByRole('heading', { name: 'a.mov' }).waitFor()
  await transferRow(page, 'b.mov').click({ modifiers: ['ControlOrMeta'] })
  await inspector.getByRole('heading', { name: '2 selected' }).waitFor()
  await reads(inspector, /Done\s*2/)
  await reads(inspector, /Size\s*5\.24 MB/)
  await shot(page, 'inspector-several')
  await inspector.getByRole('button', { name: 'Copy details' }).click()
  await expect.poll(() => app.evaluate(({ clipboard }) => clipboard.readText())).toMatch(/Name: .\.mov[^]*Name: .\.mov/)
  await transferRow(page, 'a.mov').click({ modifiers: ['ControlOrMeta'] })
  await inspector.getByRole('heading', { name: 'b.mov' }).waitFor()
})

it('shows how far several are and how long it takes while one moves, and no bar where that can’t be told', async () => {
  const sluice = await launchSluice({ userDataDir: join(await tempDir(), 'user-data') })
  onTestFinished(sluice.close)
  const { page } = sluice
  const moving = {
    status: 'transferring',
    sizeBytes: 100e6,
    confirmedBytes: 40e6,
    bytesPerSecond: 1e6,
    etaSeconds: 58,
  } as const
  const film = fakeRow({ id: randomUUID(), name: 'film.mov', ...moving })
  const reel = fakeRow({ id: randomUUID(), name: 'reel.mov', status: 'paused', sizeBytes: 300e6, confirmedBytes: 60e6 })
  const late = fakeRow({ id: randomUUID(), name: 'late.mov', status: 'queued', sizeBytes: 100e6 })
  await tellRows(sluice, [film, reel, late])
  const inspector = page.getByRole('complementary', { name: 'Inspector' })
  const bar = inspector.getByRole('progressbar', { name: 'Progress' })
  await transferRow(page, 'film.mov').click()
  await transferRow(page, 'reel.mov').click({ modifiers: ['ControlOrMeta'] })
  await reads(bar, '40.0 of 100 MB · 1 min')
  expect(await bar.getAttribute('aria-valuenow')).toBe(String(40e6))
  expect(await page.getByRole('alert').allInnerTexts()).toEqual([])
  await shot(page, 'inspector-several-moving')
  await page.emulateMedia({ colorScheme: 'dark' })
  await shot(page, 'inspector-several-moving-dark')
  await transferRow(page, 'late.mov').click({ modifiers: ['ControlOrMeta'] })
  await reads(bar, '40.0 of 200 MB · about 3 min')

  let shown = film
  const other = async (name: string, changes: object) => {
    const next = { ...film, id: randomUUID(), name, ...changes }
    await tellRows(sluice, [next], { instead: [shown] })
    shown = next
    await transferRow(page, name).click({ modifiers: ['ControlOrMeta'] })
  }
  await other('still.mov', { bytesPerSecond: 0, etaSeconds: null })
  await reads(bar, /^40\.0 of 200 MB$/)
  await other('unknown.mov', { sizeBytes: null })
  await reads(inspector, /Confirmed\s*100 MB/)
  expect(await bar.count()).toBe(0)
  await other('paused.mov', { status: 'paused', bytesPerSecond: 0, etaSeconds: null })
  await reads(inspector, /Size\s*500 MB/)
  expect(await bar.count()).toBe(0)
})
