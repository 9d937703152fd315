import { join } from 'node:path'
import type { ElectronApplication } from 'playwright-core'
import { expect, it, onTestFinished } from 'vitest'
import { startScript } from '../../support/servers/scripted-server.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'
import { enqueueLink, reads, shot, transferRow } from '../../support/window/desk-window.ts'
import { choosePaths, launchSluice } from '../../support/window/electron-app.ts'

/** A download at 1 MB/s that is far from its end; without an ETag nothing tells its version, and it can't be continued. */
async function open(headers: Readonly<Record<string, string>> = {}) {
  const folder = await tempDir()
  const server = await startScript([{ status: 200, headers, body: 'x'.repeat(30_000_000) }])
  const sluice = await launchSluice({ userDataDir: join(folder, 'user-data') })
  onTestFinished(sluice.close)
  const { page } = sluice
  await choosePaths(sluice, folder)
  await page.evaluate(() => window.sluice.invoke('settings:set', { limitBytesPerSecond: 1_000_000 }))
  await enqueueLink(page, `${server.endpoint}/big.iso`, folder)
  const row = transferRow(page, 'big.iso')
  await reads(row, /[\d.]+ [kM]B\/s/)
  return { ...sluice, row }
}

/** Answers every native question so from now on, and returns those that were asked. */
async function answering(app: ElectronApplication, response: number): Promise<() => Promise<readonly object[]>> {
  await app.evaluate(({ dialog }, chosen) => {
    const asked: unknown[] = []
    Object.assign(globalThis, { asked })
    dialog.showMessageBox = (...given: unknown[]) => {
      asked.push(given.at(-1))
      return Promise.resolve({ response: chosen, checkboxChecked: false })
    }
  }, response)
  return () => app.evaluate(() => Reflect.get(globalThis, 'asked') as readonly object[])
}

const pauseForAnHour = (app: ElectronApplication): Promise<void> =>
  app.evaluate(({ Menu }) => {
    Menu.getApplicationMenu()?.getMenuItemById('pause-for:hour')?.click()
  })

/** Presses an item of the menu of the icon, which is put there anew. */
async function pauseAllByTray({ app, page }: Awaited<ReturnType<typeof open>>): Promise<void> {
  await app.evaluate(({ Tray }) => {
    const { setContextMenu } = Tray.prototype
    Tray.prototype.setContextMenu = function (menu) {
      Object.assign(globalThis, { trayMenu: menu })
      setContextMenu.call(this, menu)
    }
  })
  for (const showsTray of [false, true]) {
    await page.evaluate((shows) => window.sluice.invoke('settings:set', { showsTray: shows }), showsTray)
  }
  await app.evaluate(() => {
    const { items } = Reflect.get(globalThis, 'trayMenu') as Electron.Menu
    items.find(({ label }) => label === 'Pause all')?.click()
  })
}

const QUESTION = {
  type: 'question',
  message: 'Pause big.iso?',
  detail: expect.stringMatching(/^Its server can’t continue a download\. The [\d.]+ [kM]B downloaded so far/) as string,
  buttons: ['Pause', 'Cancel'],
  defaultId: 1,
  cancelId: 1,
}

it('asks before a pause throws away what a server can’t continue', async () => {
  const { page, row } = await open()
  const question = page.getByRole('alertdialog', { name: 'Pause big.iso?' })
  await row.click()
  await page.keyboard.press('Space')
  await question.getByText(/can’t continue a download\. The [\d.]+ [kM]B downloaded so far/).waitFor()
  await shot(page, 'pause-loses')
  await question.getByRole('button', { name: 'Cancel' }).click()
  await question.waitFor({ state: 'detached' })
  await page.keyboard.press('ControlOrMeta+Shift+P')
  await question.getByRole('button', { name: 'Pause' }).click()
  await reads(row, 'Paused')
})

it('asks the same before it pauses all from its menu bar or its icon, and leaves it when told to', async () => {
  const sluice = await open()
  const { app, page, row } = sluice
  const refused = await answering(app, 1)
  await pauseForAnHour(app)
  await expect.poll(refused).toEqual([QUESTION])
  await pauseAllByTray(sluice)
  await expect.poll(refused).toEqual([QUESTION, QUESTION])
  await reads(row, /[\d.]+ [kM]B\/s/)
  const confirmed = await answering(app, 0)
  await pauseForAnHour(app)
  await page.getByText(/^Paused until /).waitFor()
  await reads(row, 'Paused · starts over when resumed')
  expect(await confirmed()).toEqual([QUESTION])
})

it('pauses all without a question where nothing is lost', async () => {
  const sluice = await open({ etag: '"e"', 'accept-ranges': 'bytes' })
  const asked = await answering(sluice.app, 1)
  await pauseAllByTray(sluice)
  await reads(sluice.row, 'Paused')
  expect(await asked()).toEqual([])
})
