import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { MIB } from '../../../shared/limits.ts'
import { reads, shot, transferRow } from '../../support/window/desk-window.ts'
import { dropFiles } from '../../support/window/drop-files.ts'
import { launchSluice, type LaunchedSluice } from '../../support/window/electron-app.ts'
import { writeRandomFile } from '../../support/tools/random-file.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'
import { whenHolds } from '../../support/tools/when-holds.ts'

it('is started again when its process ends, and its transfers go on', async () => {
  const folder = await tempDir()
  const sluice = await launchSluice({ userDataDir: join(folder, 'user-data') })
  onTestFinished(sluice.close)
  const { page } = sluice
  const source = join(folder, 'film.mov')
  await writeRandomFile(source, 48 * MIB)
  await limit(sluice, MIB / 2)
  await dropFiles(page, [source])
  await reads(transferRow(page, 'film.mov'), /[kM]B\/s/)
  const endpoint = await endpointOf(sluice)
  const before = await demoProcess(sluice)
  process.kill(before, 'SIGKILL')
  const notice = page.getByText('The demo store stopped and was started again.')
  await notice.waitFor()
  await shot(page, 'demo-store-again')
  expect(await demoProcess(sluice)).not.toBe(before)
  expect(await endpointOf(sluice)).toBe(endpoint)
  await transferRow(page, 'film.mov').click()
  const log = page.getByRole('complementary', { name: 'Inspector' }).getByRole('list', { name: 'Log' })
  await reads(log, /Started/)
  await limit(sluice, null)
  await reads(transferRow(page, 'film.mov'), /verified/)
  await reads(log, /Finished/)
  await log.scrollIntoViewIfNeeded()
  await shot(page, 'demo-store-again-log')
  // It went on by itself, as soon as it could.
  expect(await log.innerText()).not.toContain('by you')
})

it('says of a link to it that it works on this computer only', async () => {
  const folder = await tempDir()
  const { app, page, close } = await launchSluice({ userDataDir: join(folder, 'user-data') })
  onTestFinished(close)
  await writeRandomFile(join(folder, 'film.mov'), 1000)
  await dropFiles(page, [join(folder, 'film.mov')])
  await reads(transferRow(page, 'film.mov'), 'verified')
  await page.getByRole('button', { name: 'Demo store', exact: true }).click()
  await page.getByRole('row', { name: 'film.mov' }).click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Copy link…' }).click()
  const sheet = page.getByRole('dialog')
  await sheet.getByText('The demo store is on this computer: the link works only here').waitFor()
  expect(await sheet.getByText('Anyone with the link').count()).toBe(0)
  await shot(page, 'link-to-demo-store')
  await sheet.getByRole('button', { name: 'Copy link' }).click()
  await page.getByText('Link to film.mov copied. It works on this computer only.').waitFor()
  expect(await app.evaluate(({ clipboard }) => clipboard.readText())).toContain('/film.mov?')
})

it('ends with the app, however that ends, and has its address again', async () => {
  const userDataDir = await tempDir()
  let endpoint: string | undefined
  for (const end of ['kill', 'close', 'close'] as const) {
    const sluice = await launchSluice({ userDataDir })
    const pid = await demoProcess(sluice)
    expect(await endpointOf(sluice)).toBe((endpoint ??= await endpointOf(sluice)))
    await sluice[end]()
    // A process whose parent was killed is in the system’s list until that looks after it.
    await whenHolds(() => expect(() => process.kill(pid, 0)).toThrow('ESRCH'))
  }
})

/** Its number, for the system. */
async function demoProcess({ app }: LaunchedSluice): Promise<number> {
  return await whenHolds(async () => {
    const metrics = await app.evaluate((electron) => electron.app.getAppMetrics())
    const found = metrics.find(({ name }) => name === 'Sluice Demo Store')
    expect(found).toBeDefined()
    return found?.pid ?? 0
  })
}

async function endpointOf({ page }: LaunchedSluice): Promise<string | undefined> {
  const reply = await page.evaluate(() => window.sluice.invoke('places:list', null))
  return reply.ok ? reply.value.find(({ isDemo }) => isDemo)?.endpoint : undefined
}

async function limit({ page }: LaunchedSluice, limitBytesPerSecond: number | null): Promise<void> {
  await page.evaluate(
    (bytes) => window.sluice.invoke('settings:set', { limitBytesPerSecond: bytes }),
    limitBytesPerSecond,
  )
}
