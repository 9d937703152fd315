import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { access, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { FuseV1Options, getCurrentFuseWire } from '@electron/fuses'
import { chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { MIB } from '../../shared/limits.ts'
import { dropFiles } from '../support/window/drop-files.ts'
import { writeRandomFile } from '../support/tools/random-file.ts'
import { tempDir } from '../support/tools/temp-dir.ts'

const execute = promisify(execFile)
const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
const deb = process.env['SLUICE_DEB'] ?? ''

function apt(...args: string[]) {
  return execute('apt-get', ['-y', '-qq', ...args], { env: environment, maxBuffer: 16 << 20 })
}

/**
 * Starts the installed app with the window's debugging port open, since what ships lets nobody debug its main process.
 */
async function openInstalled(folder: string): Promise<Page> {
  const switches = ['--no-sandbox', '--remote-debugging-port=0', `--user-data-dir=${join(folder, 'data')}`]
  const app = spawn('sluice', switches, { stdio: ['ignore', 'ignore', 'pipe'] })
  const closed = once(app, 'close')
  onTestFinished(async () => {
    app.kill()
    await closed
  })
  const browser = await chromium.connectOverCDP(await debuggingAddress(app.stderr))
  const [context] = browser.contexts()
  if (context === undefined) throw new Error('sluice has no window')
  return context.pages()[0] ?? context.waitForEvent('page')
}

async function debuggingAddress(stderr: Readable): Promise<string> {
  for await (const line of createInterface(stderr)) {
    const address = /DevTools listening on (ws:\S+)/.exec(line)?.[1]
    if (address !== undefined) return address
  }
  throw new Error('sluice ended before it opened its debugging port')
}

describe.runIf(process.platform === 'linux' && process.getuid?.() === 0)('the .deb', () => {
  beforeAll(() => apt('install', '--no-install-recommends', deb))
  afterAll(() => apt('purge', 'sluice'))

  test('puts the program on the PATH and into the menu', async () => {
    const { stdout } = await execute('which', ['sluice'])
    expect(stdout.trim()).toBe('/usr/bin/sluice')
    expect(await readFile('/usr/share/applications/sluice.desktop', 'utf8')).toMatch(/^Exec=sluice %U$/m)
    await access('/usr/share/icons/hicolor/256x256/apps/sluice.png')
  })

  test('leaves Chromium’s sandbox helper able to do its work', async () => {
    const { mode, uid } = await stat('/usr/lib/sluice/chrome-sandbox')
    expect({ mode: mode & 0o7777, uid }).toEqual({ mode: 0o4755, uid: 0 })
  })

  test('closes the doors that only developers need', async () => {
    const wire = await getCurrentFuseWire('/usr/lib/sluice/sluice')
    const fuses = Object.values(FuseV1Options).filter((fuse) => typeof fuse === 'number')
    const open = fuses.filter((fuse) => String.fromCharCode(wire[fuse] ?? 0) === '1')
    expect(open).toEqual([
      FuseV1Options.EnableCookieEncryption,
      FuseV1Options.EnableEmbeddedAsarIntegrityValidation,
      FuseV1Options.OnlyLoadAppFromAsar,
    ])
  })

  test('starts the program, which uploads a dropped file and verifies it', async () => {
    const folder = await tempDir()
    await writeRandomFile(join(folder, 'film.mov'), 24 * MIB + 7)
    const page = await openInstalled(folder)
    expect(page.url()).toMatch(/^app:/)
    await page.getByRole('button', { name: 'Upload…' }).waitFor()
    await dropFiles(page, [join(folder, 'film.mov')])
    await page
      .getByRole('row', { name: 'film.mov' })
      .filter({ hasText: /verified/ })
      .waitFor()
  })

  test('is gone after its removal', async () => {
    await apt('remove', 'sluice')
    const { stdout } = await execute('find', ['/usr', '-xdev', '-name', '*sluice*'])
    expect(stdout).toBe('')
  })
})
