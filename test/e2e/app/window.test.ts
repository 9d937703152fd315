import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ElectronApplication } from 'playwright-core'
import { expect, it, onTestFinished } from 'vitest'
import { launchSluice, type LaunchedSluice } from '../../support/window/electron-app.ts'
import { hasSignals } from '../../support/tools/run-cli.ts'
import { uploadSlowly } from '../../support/window/drop-files.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'

it('comes back where and as large as it was', async () => {
  const userDataDir = await tempDir()
  const first = await launchSluice({ userDataDir })
  const bounds = { x: 40, y: 60, width: 900, height: 600 }
  await first.app.evaluate(({ BrowserWindow }, wanted) => {
    BrowserWindow.getAllWindows()[0]?.setBounds(wanted)
  }, bounds)
  await first.close()
  expect(await boundsOfNext(userDataDir)).toEqual(bounds)
})

it('comes back where it was, however long its disk takes to keep that', async () => {
  const userDataDir = await tempDir()
  const first = await launchSluice({ userDataDir })
  const bounds = { x: 40, y: 60, width: 900, height: 600 }
  await first.app.evaluate(({ BrowserWindow }, wanted) => {
    const fileSystem = process.getBuiltinModule('node:fs/promises')
    const { syncBuiltinESMExports } = process.getBuiltinModule('node:module')
    const { rename } = fileSystem
    fileSystem.rename = async (...paths) => {
      await new Promise((resolve) => setTimeout(resolve, 2000))
      await rename(...paths)
    }
    syncBuiltinESMExports()
    BrowserWindow.getAllWindows()[0]?.setBounds(wanted)
  }, bounds)
  await first.close()
  expect(await boundsOfNext(userDataDir)).toEqual(bounds)
})

/** Where the window is at the next start. */
async function boundsOfNext(userDataDir: string) {
  const { app, close } = await launchSluice({ userDataDir })
  onTestFinished(close)
  return app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getBounds())
}

it('fits the screen, however large it was on another one', async () => {
  const userDataDir = await tempDir()
  const first = await launchSluice({ userDataDir })
  await first.app.evaluate(({ BrowserWindow }) => {
    BrowserWindow.getAllWindows()[0]?.setBounds({ x: 0, y: 0, width: 4000, height: 3000 })
  })
  await first.close()
  const second = await launchSluice({ userDataDir })
  onTestFinished(second.close)
  const { found, area } = await second.app.evaluate(({ BrowserWindow, screen }) => ({
    found: BrowserWindow.getAllWindows()[0]?.getBounds() ?? { width: 0, height: 0 },
    area: screen.getPrimaryDisplay().workArea,
  }))
  // Without a window manager Chromium takes a pixel away, lest the window pass for full screen.
  expect([area.width - found.width, area.height - found.height].every((less) => less === 0 || less === 1)).toBe(true)
})

it('quits by its keys also while its page hangs', () => quitWhileItHangs(({ app }) => pressQuitKeys(app)))

it.runIf(hasSignals)('quits by a signal also while its page hangs', () =>
  quitWhileItHangs(({ app }) => Promise.resolve(app.process().kill('SIGTERM'))),
)

async function quitWhileItHangs(quit: (sluice: LaunchedSluice) => Promise<unknown>): Promise<void> {
  const sluice = await launchSluice({ userDataDir: await tempDir() })
  onTestFinished(sluice.kill)
  const exited = once(sluice.app.process(), 'exit')
  await sluice.page.evaluate(hang)
  await quit(sluice)
  expect(await exited).toEqual([0, null])
}

/** In the page: it answers, and nothing after that. */
function hang(): void {
  setTimeout(() => {
    for (;;);
  })
}

/** As the keyboard does. Not waited for: the app that is asked goes. */
function pressQuitKeys(app: ElectronApplication): Promise<unknown> {
  const pressed = app.evaluate(({ BrowserWindow }) => {
    const contents = BrowserWindow.getAllWindows()[0]?.webContents
    contents?.focus()
    contents?.sendInputEvent({ type: 'keyDown', keyCode: 'Q', modifiers: ['control'] })
  })
  return pressed.catch(() => undefined)
}

it('starts without its demo store when that can’t open, and says why', async () => {
  const userDataDir = await tempDir()
  await mkdir(join(userDataDir, 'demo-store'))
  await writeFile(join(userDataDir, 'demo-store', 'journal.jsonl'), '{"journal":"of a later version"}\n')
  const { page, close } = await launchSluice({ userDataDir })
  onTestFinished(close)
  await page
    .getByText(
      /^The demo store can’t open \(.+ is not a journal that this version can read\)\. Everything else works\.$/,
    )
    .waitFor()
  await page.screenshot({ path: join(import.meta.dirname, '../../../out/screenshots/demo-store-unavailable.png') })
  await page.getByRole('button', { name: 'Demo store', exact: true }).click()
  await page.getByText('Demo store isn’t responding.').waitFor()
})

it('says before it closes that transfers will continue, and keeps running when told to', async () => {
  const folder = await tempDir()
  const { app, page, close } = await launchSluice({ userDataDir: join(folder, 'user-data') })
  onTestFinished(close)
  await uploadSlowly(page, folder)
  const asked = await app.evaluate(({ BrowserWindow, dialog }) => {
    const keepRunning = { response: 1, checkboxChecked: false }
    return new Promise<string>((resolve) => {
      dialog.showMessageBox = ((_window: unknown, { message }: { message: string }) => {
        resolve(message)
        return Promise.resolve(keepRunning)
      }) as typeof dialog.showMessageBox
      BrowserWindow.getAllWindows()[0]?.close()
    })
  })
  expect(asked).toBe('Quit and pause 1 transfer? It continues when you reopen Sluice.')
  expect(app.windows()).toHaveLength(1)
})
