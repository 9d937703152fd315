import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { MIB } from '../../shared/limits.ts'
import { openStudio, reads, shot, transferRow } from '../support/desk-window.ts'
import { createDownloadDesk } from '../support/download-desk.ts'
import { dropFiles } from '../support/drop-files.ts'
import type { FaultProxy } from '../support/fault-server.ts'
import { writeRandomFile } from '../support/random-file.ts'
import { tempDir } from '../support/temp-dir.ts'

const PART = { method: 'PUT', query: { partNumber: true } }

/** An upload all of whose bytes are sent, and whose parts the service does not answer until `answer`. */
async function unanswered() {
  const { proxy } = await createDownloadDesk()
  const folder = await tempDir()
  let answer = (): void => undefined
  const until = new Promise<void>((resolve) => (answer = resolve))
  const stall = proxy.rule({ when: PART, fault: { kind: 'stall', at: 'response', until } })
  const { page } = await openStudio(proxy, join(folder, 'user-data'))
  await page.evaluate(() => window.sluice.invoke('settings:set', { connectionsPerTransfer: 2 }))
  await writeRandomFile(join(folder, 'film.mov'), 48 * MIB)
  await dropFiles(page, [join(folder, 'film.mov')])
  await proxy.seen(PART, 2)
  await expect.poll(() => inFlight(page), { timeout: 20_000 }).toBe(16 * MIB)
  return { page, proxy, row: transferRow(page, 'film.mov'), answer, stall }
}

async function inFlight(page: Page): Promise<number> {
  const reply = await page.evaluate(async () => window.sluice.invoke('queue:snapshot', null))
  return reply.ok ? (reply.value.rows[0]?.inFlightBytes ?? 0) : 0
}

const sentOf = (proxy: FaultProxy): number => proxy.requests(PART).length

it('lets parts end that are nearly there, says so, and sends them no second time', { timeout: 120_000 }, async () => {
  const { proxy, row, answer } = await unanswered()
  await row.getByRole('button', { name: 'Pause' }).click()
  await reads(row, 'Finishing 2 parts…')
  answer()
  await reads(row, 'Paused · 16.8 of 50.3 MB')
  expect(sentOf(proxy)).toBe(2)
  await row.getByRole('button', { name: 'Resume' }).click()
  await reads(row, 'verified')
  expect(sentOf(proxy)).toBe(6)
})

it('waits 2.5 s at most, or until the second press, and says what was dropped', { timeout: 120_000 }, async () => {
  const { page, row, stall } = await unanswered()
  await row.getByRole('button', { name: 'Pause' }).click()
  await reads(row, 'Finishing 2 parts…')
  await shot(page, 'pause-finishing')
  await reads(row, 'Paused · 0 of 50.3 MB')

  // The service had the first two all the same.
  await row.getByRole('button', { name: 'Resume' }).click()
  await expect.poll(() => inFlight(page), { timeout: 20_000 }).toBe(16 * MIB)
  await row.getByRole('button', { name: 'Pause' }).click()
  await row.getByRole('button', { name: 'Stop now' }).click()
  await reads(row, 'Paused · 16.8 of 50.3 MB')

  await row.getByRole('button', { name: 'Resume' }).click()
  await expect.poll(() => inFlight(page), { timeout: 20_000 }).toBe(16 * MIB)
  await row.focus()
  await page.keyboard.press('Space')
  await row.getByRole('button', { name: 'Stop now' }).waitFor()
  await page.keyboard.press('Space')
  await reads(row, 'Paused · 33.6 of 50.3 MB')
  await page.getByText('Paused. 16.8 MB still on the way was dropped and will be sent again.').first().waitFor()
  await shot(page, 'pause-dropped')
  stall.remove()
})
