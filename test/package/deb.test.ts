import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { access, mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { FuseV1Options, getCurrentFuseWire } from '@electron/fuses'
import { chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const execute = promisify(execFile)
const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
const deb = process.env['SLUICE_DEB'] ?? ''

function apt(...args: string[]) {
  return execute('apt-get', ['-y', '-qq', ...args], { env: environment, maxBuffer: 16 << 20 })
}

/** Starts the installed app with the page's debugging port open, and hands over the address it prints. */
async function startInstalled(userData: string) {
  const switches = ['--no-sandbox', '--remote-debugging-port=0', `--user-data-dir=${userData}`]
  const app = spawn('sluice', switches, { stdio: ['ignore', 'ignore', 'pipe'] })
  const closed = once(app, 'close')
  for await (const line of createInterface(app.stderr)) {
    const address = /DevTools listening on (ws:\S+)/.exec(line)?.[1]
    if (address !== undefined) return { app, closed, address }
  }
  throw new Error('sluice ended before it opened its debugging port')
}

describe.runIf(process.platform === 'linux' && process.getuid?.() === 0)('the .deb', () => {
  let userData: string

  beforeAll(async () => {
    userData = await mkdtemp(join(tmpdir(), 'sluice-installed-'))
    await apt('install', '--no-install-recommends', deb)
  })

  afterAll(async () => {
    await apt('purge', 'sluice')
    await rm(userData, { recursive: true })
  })

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

  test('starts the program, which opens its window', async () => {
    const { app, closed, address } = await startInstalled(userData)
    const browser = await chromium.connectOverCDP(address)
    const context = browser.contexts()[0]
    const page = context?.pages()[0] ?? (await context?.waitForEvent('page'))
    await page?.getByRole('heading').first().waitFor()
    expect(page?.url()).toMatch(/^app:/)
    await browser.close()
    app.kill()
    await closed
  })

  test('is gone after its removal', async () => {
    await apt('remove', 'sluice')
    const { stdout } = await execute('find', ['/usr', '-xdev', '-name', '*sluice*'])
    expect(stdout).toBe('')
  })
})
