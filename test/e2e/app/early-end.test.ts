import { once } from 'node:events'
import { join } from 'node:path'
import type { ElectronApplication } from 'playwright-core'
import { expect, it, onTestFinished } from 'vitest'
import { fillLongList } from '../../support/worlds/long-list.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'
import { startSluice, textOfPage } from '../../support/window/electron-app.ts'

const HOLD_REQUESTS = join(import.meta.dirname, 'hold-requests.cjs')

/** Starts the app on a long list, whose page gets nothing of what it asks for, or nothing but itself. */
async function startUndrawn(held: 'all' | 'scripts' = 'all'): Promise<ElectronApplication> {
  const folder = await tempDir()
  const userDataDir = join(folder, 'user-data')
  await fillLongList(userDataDir, join(folder, 'late.mov'))
  const app = await startSluice({
    userDataDir,
    preload: HOLD_REQUESTS,
    environment: { TEST_HELD_REQUESTS: held },
  })
  const child = app.process()
  onTestFinished(() => void child.kill('SIGKILL'))
  await app.evaluate(async ({ app: main }) => {
    const opened = new Promise((resolve) => main.once('browser-window-created', resolve))
    const events: NodeJS.EventEmitter = main
    events.emit('test-begins')
    await opened
  })
  // What is drawn of a page that gets nothing is nothing.
  expect(await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().map((it) => it.isVisible()))).toEqual([
    false,
  ])
  return app
}

const exitOf = (app: ElectronApplication) => once(app.process(), 'exit')

it('ends when it is told to before its page is drawn', async () => {
  const app = await startUndrawn()
  const exited = exitOf(app)
  await app.evaluate(({ app: main }) => main.quit()).catch(() => undefined)
  expect(await exited).toEqual([0, null])
})

it.each(['all', 'scripts'] as const)('loads a page anew that dies before it is drawn, and lacks %s', async (held) => {
  const app = await startUndrawn(held)
  await app.evaluate(async ({ session, BrowserWindow }, what) => {
    const contents = BrowserWindow.getAllWindows()[0]?.webContents
    const events: NodeJS.EventEmitter | undefined = contents
    const next = (event: string) => new Promise((resolve) => events?.once(event, resolve))
    if (what === 'scripts' && contents?.getURL() === '') await next('did-navigate')
    session.fromPartition('page').webRequest.onBeforeRequest((_, decide) => decide({}))
    const isGone = next('render-process-gone')
    const isLoaded = next('did-finish-load')
    contents?.forcefullyCrashRenderer()
    await isGone
    await isLoaded
  }, held)
  await expect.poll(() => textOfPage(app)).toContain('late.mov')
})

it('ends with the session of Windows, which tells its windows', async () => {
  const app = await startUndrawn()
  const exited = exitOf(app)
  await app
    .evaluate(({ BrowserWindow }) => void BrowserWindow.getAllWindows()[0]?.emit('session-end'))
    .catch(() => undefined)
  expect(await exited).toEqual([0, null])
})
