import { execFile, spawn, type ChildProcess, type SpawnOptions } from 'node:child_process'
import { once } from 'node:events'
import { access, mkdir, readdir, readFile, readlink, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { chromium, type Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import { MIB } from '../../../shared/limits.ts'
import { dropFiles } from '../../support/window/drop-files.ts'
import { sha256Of, writeRandomFile } from '../../support/tools/random-file.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'
import { staysLockedDown } from './locked-page.ts'

const execute = promisify(execFile)

/** What `npm test -- --package` made: the path of each package, and of the folder that an AppImage mounts. */
export const PACKAGES = JSON.parse(process.env['SLUICE_PACKAGES'] ?? '{}') as Readonly<
  Record<'deb' | 'rpm' | 'AppImage' | 'AppDir', string | null | undefined>
>

/** Packages are installed by root alone. */
export const isRootOnLinux = process.platform === 'linux' && process.getuid?.() === 0

/** Why the .deb is not tried on a desktop here; undefined where it is (scripts/packages/desktop.mjs sets the variable). */
export const noDesktop = process.env['SLUICE_NO_DESKTOP']

/** Runs a program to its end; resolves with what it printed, rejects where it failed. */
export async function run(program: string, args: readonly string[], environment: Record<string, string> = {}) {
  return execute(program, [...args], {
    env: { ...(process.env as Record<string, string>), DEBIAN_FRONTEND: 'noninteractive', ...environment },
    maxBuffer: 16 << 20,
  })
}

/** Debian's package manager, which asks nothing, and waits (s) where another copy of it works. */
export function apt(...args: string[]) {
  return run('apt-get', ['-y', '-qq', '-o', 'DPkg::Lock::Timeout=240', ...args])
}

export function install(deb: string) {
  return apt('install', '--no-install-recommends', deb)
}

export interface OpenedApp {
  readonly page: Page
  /** Of the main process. */
  readonly pid: number
  /** Its exit status and the signal that ended it, once it is gone. */
  readonly closed: Promise<unknown[]>
  /** Asks it to quit, as the end of a session does; resolves when it is gone. */
  readonly quit: () => Promise<void>
  /** SIGKILL; resolves when it is gone. */
  readonly kill: () => Promise<void>
}

/** Starts an installed app as root, for whom Chromium has no sandbox. */
export function openApp(program: string, userDataDir: string): Promise<OpenedApp> {
  return driveApp(program, ['--no-sandbox', `--user-data-dir=${userDataDir}`], {})
}

/**
 * Starts an installed app with the window's debugging port open, since what ships lets nobody debug its main process.
 */
export async function driveApp(program: string, switches: readonly string[], who: SpawnOptions): Promise<OpenedApp> {
  const options: SpawnOptions = { ...who, stdio: ['ignore', 'ignore', 'pipe'] }
  const app = spawn(program, ['--remote-debugging-port=0', ...switches], options)
  const closed = once(app, 'close')
  const end = async (signal: NodeJS.Signals) => {
    app.kill(signal)
    await closed
  }
  onTestFinished(() => end('SIGTERM'))
  const browser = await chromium.connectOverCDP(await debuggingAddress(app))
  const [context] = browser.contexts()
  if (context === undefined) throw new Error('sluice has no window')
  const page = context.pages()[0] ?? (await context.waitForEvent('page'))
  await page.getByRole('treegrid', { name: 'Transfers' }).waitFor({ state: 'attached' })
  return { page, pid: app.pid ?? 0, closed, quit: () => end('SIGTERM'), kill: () => end('SIGKILL') }
}

/** Whether Chromium's sandbox holds what draws the page of this main process: its rights, its system calls, its network. */
export async function drawsInSandbox(mainPid: number): Promise<void> {
  const renderer = await rendererOf(mainPid)
  expect(await readFile(`/proc/${renderer}/status`, 'utf8')).toMatch(/^NoNewPrivs:\s1\nSeccomp:\s2$/m)
  expect(await readlink(`/proc/${renderer}/ns/net`)).not.toBe(await readlink(`/proc/${mainPid}/ns/net`))
}

/** The process that draws the page of a user's window. */
async function rendererOf(mainPid: number): Promise<number> {
  const { uid } = await stat(`/proc/${mainPid}`)
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
    if (command.includes('--type=renderer') && (await stat(`/proc/${pid}`)).uid === uid) return Number(pid)
  }
  throw new Error('No process draws the page')
}

async function debuggingAddress({ stderr }: ChildProcess): Promise<string> {
  for await (const line of createInterface(stderr as Readable)) {
    const address = /DevTools listening on (ws:\S+)/.exec(line)?.[1]
    // Read on, or the pipe fills and the app waits.
    if (address !== undefined) return (stderr?.resume(), address)
  }
  throw new Error('sluice ended before it opened its debugging port')
}

/** Waits for the sheet that names this file or folder, and leaves it. */
export async function cancelSheet(page: Page, name: string | RegExp, file: string): Promise<void> {
  const sheet = page.getByRole('dialog', { name }).filter({ hasText: file })
  // Not by Escape, which a sheet hears once it has the focus.
  await sheet.getByRole('button', { name: 'Cancel' }).click()
  await sheet.waitFor({ state: 'detached' })
}

/** Starts the app, tries what script in its page gets at, drops a file on it, and waits until that is verified. */
export async function usesItsWindow(program: string): Promise<void> {
  const folder = await tempDir()
  const file = join(folder, 'film.mov')
  await writeRandomFile(file, 24 * MIB + 7)
  const { page } = await openApp(program, join(folder, 'data'))
  expect(page.url()).toMatch(/^app:/)
  await staysLockedDown(page)
  await page.getByRole('button', { name: 'Upload…' }).waitFor()
  await dropFiles(page, [file])
  await page
    .getByRole('row', { name: 'film.mov' })
    .filter({ hasText: /verified/ })
    .waitFor()
}

/** Serves, uploads, downloads and compares by the package's own command line, where there is no display. */
export async function transfersWithoutDisplay(program: string): Promise<void> {
  const folder = await tempDir()
  await mkdir(join(folder, 'home'))
  const environment: Record<string, string> = {
    ...{ DISPLAY: '', WAYLAND_DISPLAY: '', HOME: join(folder, 'home'), XDG_STATE_HOME: join(folder, 'home') },
    ...{ SLUICE_BUCKET: 'demo', SLUICE_ACCESS_KEY: 'K', SLUICE_SECRET_KEY: 'secret' },
  }
  const env = { ...(process.env as Record<string, string>), ...environment }
  const served = spawn(program, ['serve', '--dir', join(folder, 'store')], { env, stdio: ['ignore', 'pipe', 'ignore'] })
  const ended = once(served, 'close')
  onTestFinished(async () => {
    served.kill('SIGINT')
    expect(await ended).toEqual([0, null])
  })
  const [endpoint] = (await once(createInterface(served.stdout), 'line')) as [string]
  const from = join(folder, 'from.bin')
  await writeRandomFile(from, 20 * MIB + 1)
  const client = { ...environment, SLUICE_ENDPOINT: endpoint }
  const put = await run(program, ['put', from, 'films/'], client)
  expect({ ...put, stdout: put.stdout.includes('verified') }).toEqual({ stdout: true, stderr: '' })
  const got = join(folder, 'got.bin')
  await run(program, ['get', 'films/from.bin', got], client)
  expect(await sha256Of(got)).toBe(await sha256Of(from))
  await expect(run(program, ['get', 'films/none', got], client)).rejects.toMatchObject({ code: 1 })
  await expect(run(program, ['put'], client)).rejects.toMatchObject({ code: 2 })
}

/** Whether everything is where the system looks for it, below `root`, and says what it is. */
export async function holdsWhatSystemsLookFor(root: string): Promise<void> {
  const at = (...parts: string[]) => join(root, 'usr', ...parts)
  for (const path of [
    at('bin', 'sluice'),
    at('share', 'applications', 'app.sluice.desktop.desktop'),
    at('share', 'metainfo', 'app.sluice.desktop.metainfo.xml'),
    at('share', 'icons', 'hicolor', '256x256', 'apps', 'app.sluice.desktop.png'),
    at('share', 'bash-completion', 'completions', 'sluice'),
    at('share', 'zsh', 'vendor-completions', '_sluice'),
    at('share', 'fish', 'vendor_completions.d', 'sluice.fish'),
    at('share', 'man', 'man1', 'sluice.1.gz'),
    at('share', 'doc', 'sluice', 'copyright'),
  ])
    await access(path)
  const notices = await readFile(at('share', 'doc', 'sluice', 'third-party.txt'), 'utf8')
  expect(notices).toMatch(/^react-aria-components .*\(Apache-2\.0\)$/m)
  expect((await stat(at('lib', 'sluice', 'resources', 'LICENSE.txt'))).size).toBeGreaterThan(1000)
  expect((await stat(at('lib', 'sluice', 'LICENSES.chromium.html'))).size).toBeGreaterThan(MIB)
}

/** Copies a .deb with another version, as an older build of the same. Resolves with its path. */
export async function debOfVersion(deb: string, version: string, folder: string): Promise<string> {
  const tree = join(folder, 'older')
  await run('dpkg-deb', ['--raw-extract', deb, tree])
  const control = join(tree, 'DEBIAN', 'control')
  await writeFile(control, (await readFile(control, 'utf8')).replace(/^Version: .*$/m, `Version: ${version}`))
  const target = join(folder, `sluice-${version}.deb`)
  await run('dpkg-deb', ['--root-owner-group', '-Zzstd', '-z1', '--build', tree, target])
  return target
}
