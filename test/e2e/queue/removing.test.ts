import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { MIB } from '../../../shared/limits.ts'
import { transferRow as fakeRow } from '../../support/fakes/transfer-rows.ts'
import { writeRandomFile } from '../../support/tools/random-file.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'
import { openStudio, reads, shot, transferRow } from '../../support/window/desk-window.ts'
import { createDownloadDesk } from '../../support/window/download-desk.ts'
import { dropFiles } from '../../support/window/drop-files.ts'
import { launchSluice } from '../../support/window/electron-app.ts'
import { tellRows } from '../../support/window/told-rows.ts'

const STALLED = { kind: 'stall', at: 'request' } as const

it('leaves focus on the row after one that is discarded by keys', async () => {
  const { proxy } = await createDownloadDesk()
  const folder = await tempDir()
  proxy.rule({ when: { method: 'PUT', test: ({ url }) => /partNumber=[23]/.test(url) }, fault: STALLED })
  const { page } = await openStudio(proxy, join(folder, 'user-data'))
  await writeRandomFile(join(folder, 'done.mov'), MIB)
  await dropFiles(page, [join(folder, 'done.mov')])
  await reads(transferRow(page, 'done.mov'), 'verified')
  const names = ['a.mov', 'b.mov', 'c.mov']
  for (const name of names) {
    await writeRandomFile(join(folder, name), 13 * MIB)
    await dropFiles(page, [join(folder, name)])
    await reads(transferRow(page, name), /[1-9][\d.]* of 13\.6 MB/)
    await page.evaluate(() => window.sluice.invoke('transfers:pause', { ids: 'all' }))
    await reads(transferRow(page, name), 'Paused')
  }
  const [first = '', second = '', third = ''] = await page
    .locator('[role="row"][aria-level="1"]')
    .evaluateAll((rows) => rows.map((row) => row.getAttribute('aria-label') ?? ''))
  await transferRow(page, first).focus()
  await page.keyboard.press('ArrowDown')
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))
  await expect.poll(focused).toBe(second)
  await page.keyboard.press('Delete')
  const question = page.getByRole('alertdialog', { name: `Remove ${second} from the list?` })
  await question.waitFor()
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Enter')
  await transferRow(page, second).waitFor({ state: 'detached' })
  await expect.poll(focused).toBe(third)
})

it('leaves focus on the row after several that are removed before their turn', async () => {
  const { proxy } = await createDownloadDesk()
  const folder = await tempDir()
  proxy.rule({ when: { method: 'PUT' }, fault: STALLED })
  const { page } = await openStudio(proxy, join(folder, 'user-data'))
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((letter) => `${letter}.mov`)
  for (const name of names) {
    await writeRandomFile(join(folder, name), 13 * MIB)
    await dropFiles(page, [join(folder, name)])
    await transferRow(page, name).waitFor()
  }
  await reads(transferRow(page, 'h.mov'), 'Waiting')
  await transferRow(page, 'e.mov').click()
  await page.keyboard.press('Shift+ArrowDown')
  await page.keyboard.press('Delete')
  await page.getByText('2 transfers removed from the list.').waitFor()
  await transferRow(page, 'f.mov').waitFor({ state: 'detached' })
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('g.mov')
})

it('says what stays at a place that refuses to discard it, once the row is gone', async () => {
  const { proxy } = await createDownloadDesk()
  const folder = await tempDir()
  proxy.rule({ when: { method: 'PUT', test: ({ url }) => /partNumber=[23]/.test(url) }, fault: STALLED })
  proxy.rule({ when: { method: 'DELETE' }, fault: { kind: 'response', status: 403 } })
  const { page } = await openStudio(proxy, join(folder, 'user-data'))
  await writeRandomFile(join(folder, 'film.mov'), 13 * MIB)
  await dropFiles(page, [join(folder, 'film.mov')])
  await reads(transferRow(page, 'film.mov'), /[1-9][\d.]* of 13\.6 MB/)
  await page.evaluate(() => window.sluice.invoke('transfers:pause', { ids: 'all' }))
  await reads(transferRow(page, 'film.mov'), 'Paused')
  await transferRow(page, 'film.mov').click()
  await page.keyboard.press('Delete')
  await page.getByRole('button', { name: 'Remove and discard' }).click()
  await transferRow(page, 'film.mov').waitFor({ state: 'detached' })
  await page.getByText('couldn’t be discarded: its parts stay at Studio and may cost money.').waitFor()
  await shot(page, 'left-there')
})

it('asks about what there is to lose by now, and not any more once that is nothing', async () => {
  const sluice = await launchSluice({ userDataDir: join(await tempDir(), 'user-data') })
  onTestFinished(sluice.close)
  const { page } = sluice
  const film = fakeRow({
    id: randomUUID(),
    name: 'film.mov',
    status: 'transferring',
    sizeBytes: 50_000_000,
    confirmedBytes: 12_000_000,
  })
  await tellRows(sluice, [film])
  await transferRow(page, 'film.mov').click()
  await page.keyboard.press('Delete')
  const question = page.getByRole('alertdialog', { name: 'Remove film.mov from the list?' })
  await question.getByText('12.0 MB is on the server.').waitFor()
  await tellRows(sluice, [{ ...film, confirmedBytes: 34_000_000 }])
  await question.getByText('34.0 MB is on the server.').waitFor()
  // Nothing moves under the pointer when one of the ways is closed.
  const keep = question.getByRole('button', { name: 'Remove and keep' })
  expect(await keep.isEnabled()).toBe(true)
  await tellRows(sluice, [{ ...film, status: 'completing', confirmedBytes: 34_000_000 }])
  await expect.poll(() => keep.isEnabled()).toBe(false)
  await tellRows(sluice, [{ ...film, status: 'completed', confirmedBytes: 50_000_000 }])
  await question.waitFor({ state: 'detached' })
  await transferRow(page, 'film.mov').waitFor()
})
