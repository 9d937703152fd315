import { randomBytes } from 'node:crypto'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { MIB, PAUSE_FINISH_MS } from '../../../shared/limits.ts'
import { startFaultProxy } from '../../support/fault-server/fault-server.ts'
import { startObject } from '../../support/servers/object-server.ts'
import { enqueueLink, openStudio, reads, shot, transferRow } from '../../support/window/desk-window.ts'
import { createDownloadDesk } from '../../support/window/download-desk.ts'
import { choosePaths, launchSluice } from '../../support/window/electron-app.ts'
import { dropFiles } from '../../support/window/drop-files.ts'
import { holdWaits } from '../../support/window/held-waits.ts'
import type { FaultProxy } from '../../support/fault-server/fault-server.ts'
import { writeRandomFile } from '../../support/tools/random-file.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'

const PART = { method: 'PUT', query: { partNumber: true } }

/**
 * An upload all of whose bytes are sent, and whose parts the service does not answer until `answer`. A pause waits for
 * them until `giveUp`, in place of 2.5 s.
 */
async function unanswered() {
  const { proxy } = await createDownloadDesk()
  const folder = await tempDir()
  let answer = (): void => undefined
  const until = new Promise<void>((resolve) => (answer = resolve))
  const stall = proxy.rule({ when: PART, fault: { kind: 'stall', at: 'response', until } })
  const sluice = await openStudio(proxy, join(folder, 'user-data'))
  const { page } = sluice
  const giveUp = await holdWaits(sluice, PAUSE_FINISH_MS)
  await page.evaluate(() => window.sluice.invoke('settings:set', { connectionsPerTransfer: 2 }))
  await writeRandomFile(join(folder, 'film.mov'), 48 * MIB)
  await dropFiles(page, [join(folder, 'film.mov')])
  await arrived(stall, 2)
  return { page, proxy, row: transferRow(page, 'film.mov'), answer, giveUp, stall }
}

/** So many parts are wholly sent, and wait for their answers. */
async function arrived(stall: { readonly hits: number }, parts: number): Promise<void> {
  await expect.poll(() => stall.hits).toBe(parts)
}

const sentOf = (proxy: FaultProxy): number => proxy.requests(PART).length

it('lets parts end that are nearly there, says so, and sends them no second time', async () => {
  const { proxy, row, answer } = await unanswered()
  await row.getByRole('button', { name: 'Pause' }).click()
  await reads(row, 'Finishing 2 parts…')
  answer()
  await reads(row, 'Paused · 11.1 of 50.3 MB')
  expect(sentOf(proxy)).toBe(2)
  await row.getByRole('button', { name: 'Resume' }).click()
  await reads(row, 'verified')
  expect(sentOf(proxy)).toBe(10)
})

it('waits 2.5 s at most, or until the second press, and says what was dropped', async () => {
  const { page, row, giveUp, stall } = await unanswered()
  await row.getByRole('button', { name: 'Pause' }).click()
  await reads(row, 'Finishing 2 parts…')
  await shot(page, 'pause-finishing')
  await giveUp()
  await reads(row, 'Paused · 0 of 50.3 MB')

  // The service had the first two all the same.
  await row.getByRole('button', { name: 'Resume' }).click()
  await arrived(stall, 4)
  await row.getByRole('button', { name: 'Pause' }).click()
  await row.getByRole('button', { name: 'Stop now' }).click()
  await reads(row, 'Paused · 11.1 of 50.3 MB')

  await row.getByRole('button', { name: 'Resume' }).click()
  await arrived(stall, 6)
  // The button that is pressed makes way for another: focus is not lost with it.
  await row.getByRole('button', { name: 'Pause' }).focus()
  await page.keyboard.press('Space')
  await row.getByRole('button', { name: 'Stop now' }).waitFor()
  await expect.poll(() => row.evaluate((element) => element.contains(document.activeElement))).toBe(true)
  await page.keyboard.press('Space')
  await reads(row, 'Paused · 22.2 of 50.3 MB')
  await page
    .getByText('Paused. 11.1 MB was still on the way: what doesn’t arrive will be sent again.')
    .first()
    .waitFor()
  await shot(page, 'pause-dropped')
  stall.remove()
})

it('says what holds a pause up while the drive hangs, and quits all the same', async () => {
  const folder = await tempDir()
  const [userDataDir, target] = [join(folder, 'user-data'), join(folder, 'downloads')]
  await mkdir(target)
  const content = randomBytes(48 * MIB)
  const proxy = await startFaultProxy({ target: (await startObject(content)).endpoint })
  onTestFinished(() => proxy.close())
  const slow = proxy.rule({ fault: { kind: 'limit', bytesPerSecond: 3 * MIB } })
  const sluice = await launchSluice({ userDataDir, preload: join(import.meta.dirname, 'hang-writes.cjs') })
  onTestFinished(sluice.kill)
  const { app, page } = sluice
  await choosePaths(sluice, target)
  await enqueueLink(page, `${proxy.endpoint}/film.mov`, target)
  // Electron hands the app what it is to require first as a file to upload.
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Escape')
  const row = transferRow(page, 'film.mov')
  await reads(row, /[1-9][\d.]* of 50\.3 MB/)
  await app.evaluate(({ app: main }) => main.emit('test-hangs'))
  await row.getByRole('button', { name: 'Pause' }).click()
  await reads(row, 'The drive with “downloads” isn’t responding')
  await shot(page, 'pause-hanging')
  // A second pause gives up no byte that is on its way to the disk.
  await page.evaluate(() => void window.sluice.invoke('transfers:pause', { ids: 'all' }))
  await reads(row, /Paused · [1-9][\d.]* of 50\.3 MB/)
  await row.getByRole('button', { name: 'Resume' }).click()
  await reads(row, 'The drive with “downloads” isn’t responding · continues when it does')
  await page.getByRole('toolbar').getByRole('button', { name: 'Pause', exact: true }).click()
  await reads(row, 'Paused')
  const main = app.process()
  await sluice.close()
  expect(main.exitCode).toBe(0)
  slow.remove()
  const again = await launchSluice({ userDataDir })
  onTestFinished(again.close)
  const kept = transferRow(again.page, 'film.mov')
  await reads(kept, /Paused · [1-9][\d.]* of 50\.3 MB/)
  await kept.getByRole('button', { name: 'Resume' }).click()
  await reads(kept, 'size checked')
  expect((await readFile(join(target, 'film.mov'))).equals(content)).toBe(true)
})
