// Drives that really hang: the process that serves their files is stopped, as a server may be that went away.

import { once } from 'node:events'
import { mkdir, readFile } from 'node:fs/promises'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, it, onTestFinished, type TestContext } from 'vitest'
import { MIB } from '../../../shared/limits.ts'
import { mountShare } from '../../soak/hanging-share.ts'
import { startFaultProxy } from '../../support/fault-server/fault-server.ts'
import { startObject } from '../../support/servers/object-server.ts'
import { writeRandomFile } from '../../support/tools/random-file.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'
import { enqueueLink, openStudio, reads, shot, transferRow } from '../../support/window/desk-window.ts'
import { createDownloadDesk } from '../../support/window/download-desk.ts'
import { dropFiles } from '../../support/window/drop-files.ts'
import { choosePaths, launchSluice, type LaunchedSluice } from '../../support/window/electron-app.ts'

const SLOW = { kind: 'limit', bytesPerSecond: MIB / 2 } as const
const ARRIVES = /[1-9][\d.]* (kB )?of 50\.3 MB/

/** A share in a folder; the test is skipped where none can be mounted. */
async function shareIn(folder: string, context: TestContext) {
  const share = await mountShare(folder, 0)
  if (share === null) return context.skip('mounting takes bindfs')
  // Before anything else that is closed: no process ends while a file of its own hangs.
  const comesBack = () => onTestFinished(() => share.comeBack())
  return { ...share, comesBack, path: join(folder, 'share') }
}

/** Downloads `film.mov` to the share and `other.mov` to the disk, both slowly, and has the share hang. */
async function downloading(context: TestContext) {
  const folder = await tempDir()
  const share = await shareIn(folder, context)
  const [userDataDir, away, here] = [join(folder, 'user-data'), join(share.path, 'nas'), await tempDir()]
  await mkdir(away)
  const content = randomBytes(48 * MIB)
  const proxy = await startFaultProxy({ target: (await startObject(content)).endpoint })
  onTestFinished(() => proxy.close())
  const slow = proxy.rule({ fault: SLOW })
  const sluice = await launchSluice({ userDataDir })
  onTestFinished(sluice.kill)
  share.comesBack()
  const { page } = sluice
  await choosePaths(sluice, away, here)
  await enqueueLink(page, `${proxy.endpoint}/film.mov`, away)
  const film = transferRow(page, 'film.mov')
  await reads(film, ARRIVES)
  share.hang()
  await enqueueLink(page, `${proxy.endpoint}/other.mov`, here)
  return { ...{ share, sluice, page, film, content, userDataDir, slow }, filmPath: join(away, 'film.mov') }
}

/** Quits. A call that hangs may keep the process from ending entirely, but from nothing else. */
async function quit({ app }: LaunchedSluice, userDataDir: string): Promise<void> {
  await app.evaluate(({ app: main }) => main.quit()).catch(() => undefined)
  const log = () => readFile(join(userDataDir, 'logs', 'sluice.log'), 'utf8')
  await expect.poll(log, { timeout: 60_000 }).toMatch(/ closed\n/)
}

it('pauses, removes and puts back a download whose drive hangs, and lets the others go on', async (context) => {
  const { share, page, film, content, slow, filmPath } = await downloading(context)
  await page.evaluate(() => window.sluice.invoke('settings:set', { activeTransfers: 1 }))
  await film.getByRole('button', { name: 'Pause' }).click()
  await reads(film, 'The drive with “nas” isn’t responding')
  await shot(page, 'hanging-pausing')
  await reads(film, 'Paused')
  const other = transferRow(page, 'other.mov')
  await reads(other, ARRIVES)
  await other.getByRole('button', { name: 'Pause' }).click()
  await reads(other, 'Paused')

  await film.getByRole('button', { name: 'Resume' }).click()
  await reads(film, 'The drive with “nas” isn’t responding · continues when it does')
  await shot(page, 'hanging-resumed')
  await film.focus()
  await page.keyboard.press('Delete')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Keep' }).click()
  await film.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Undo' }).click()
  await reads(film, 'The drive with “nas” isn’t responding')

  slow.remove()
  share.comeBack()
  await reads(film, 'size checked')
  expect((await readFile(filmPath)).equals(content)).toBe(true)
})

it('quits while a drive hangs: the next start has the log of every transfer, and goes on', async (context) => {
  const { share, sluice, page, userDataDir, content, slow, filmPath } = await downloading(context)
  await reads(transferRow(page, 'other.mov'), ARRIVES)
  const exited = once(sluice.app.process(), 'exit')
  await quit(sluice, userDataDir)

  const again = await launchSluice({ userDataDir })
  onTestFinished(again.kill)
  share.comesBack()
  for (const name of ['other.mov', 'film.mov']) {
    await transferRow(again.page, name).click()
    const inspector = again.page.getByRole('complementary', { name: 'Inspector' })
    await reads(inspector.getByRole('list', { name: 'Log' }), /App was closed/)
  }
  slow.remove()
  share.comeBack()
  await exited
  await reads(transferRow(again.page, 'film.mov'), 'size checked')
  expect((await readFile(filmPath)).equals(content)).toBe(true)
})

/** Removes the place “Studio”. @returns the answer. */
function removeStudio(page: Page): Promise<unknown> {
  return page.evaluate(async () => {
    const reply = await window.sluice.invoke('places:list', null)
    const id = reply.ok ? (reply.value.find(({ name }) => name === 'Studio')?.id ?? '') : ''
    return window.sluice.invoke('places:remove', { id })
  })
}

/** Uploads `film.mov` from the share to the place “Studio”, slowly, and has the share hang. */
async function uploading(context: TestContext) {
  const folder = await tempDir()
  const share = await shareIn(folder, context)
  const { proxy } = await createDownloadDesk()
  proxy.rule({ when: { method: 'PUT' }, fault: SLOW })
  const path = join(share.path, 'film.mov')
  await writeRandomFile(path, 48 * MIB)
  const userDataDir = join(folder, 'user-data')
  const sluice = await openStudio(proxy, userDataDir)
  share.comesBack()
  await dropFiles(sluice.page, [path])
  const row = transferRow(sluice.page, 'film.mov')
  await reads(row, /under way/)
  share.hang()
  return { sluice, page: sluice.page, row, userDataDir }
}

it('pauses and removes an upload whose drive hangs', async (context) => {
  const { page, row } = await uploading(context)
  await row.getByRole('button', { name: 'Pause' }).click()
  await reads(row, 'Paused')
  await row.focus()
  await page.keyboard.press('Delete')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click()
  await row.waitFor({ state: 'detached' })
})

it('removes a place although the drive of its transfer hangs', async (context) => {
  const { page, row } = await uploading(context)
  expect(await removeStudio(page)).toMatchObject({ ok: true })
  await reads(row, /removed/)
})

it('quits while the drive of an upload hangs, and can be started again', async (context) => {
  const { sluice, userDataDir } = await uploading(context)
  await quit(sluice, userDataDir)
  const again = await launchSluice({ userDataDir })
  onTestFinished(again.kill)
  await transferRow(again.page, 'film.mov').waitFor()
})
