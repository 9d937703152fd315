import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { access, copyFile, mkdir, open, readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { MIB } from '../../shared/limits.ts'
import { tempDir } from '../support/tools/temp-dir.ts'
import { dropFiles } from '../support/window/drop-files.ts'
import { startDesktopSession, type DesktopSession } from './support/desktop-session.ts'
import {
  apt,
  drawsInSandbox,
  holdsWhatSystemsLookFor,
  isRootOnLinux,
  noDesktop,
  openApp,
  PACKAGES,
  run,
  transfersWithoutDisplay,
  usesItsWindow,
} from './support/packages.ts'
import { verified } from './support/upgrade.ts'

describe.runIf(isRootOnLinux)('what an AppImage mounts', () => {
  const folder = PACKAGES.AppDir ?? ''
  const program = join(folder, 'AppRun')

  test('is whole, and has no helper that would need rights', async () => {
    await holdsWhatSystemsLookFor(folder)
    await expect(access(join(folder, 'usr/lib/sluice/chrome-sandbox'))).rejects.toMatchObject({ code: 'ENOENT' })
    await access(join(folder, 'app.sluice.desktop.desktop'))
    await access(join(folder, '.DirIcon'))
  })

  test('starts the program, which uploads a dropped file and verifies it', () => usesItsWindow(program))

  test('has the command line, which needs no display', () => transfersWithoutDisplay(program))

  test('turns no sandbox off for the window', async () => {
    const desktop = await run('grep', ['-c', 'no-sandbox', join(folder, 'app.sluice.desktop.desktop')]).catch(
      (error: unknown) => error as { stdout: string },
    )
    expect(desktop.stdout.trim()).toBe('0')
  })
})

/** Whether the system lets root mount by FUSE: containers often don't. */
const hasFuse =
  isRootOnLinux &&
  (await Promise.all([run('unshare', ['--mount', 'true']), open('/dev/fuse', 'r+').then((file) => file.close())]).then(
    () => true,
    () => false,
  ))

/** Runs what follows where the device is not the one that it should be. */
const WITHOUT_FUSE = ['--mount', 'sh', '-c', '[ ! -e /dev/fuse ] || mount --bind /dev/null /dev/fuse; exec "$0" "$@"']

/** What a process has mounted of AppImages: the lines of the system's table. */
const mountsOf = async (pid: number | 'self') =>
  (await readFile(`/proc/${pid}/mounts`, 'utf8')).split('\n').filter((line) => line.startsWith('Sluice '))

/** The main process of the app with this folder of data; 0: none. */
async function windowOf(data: string): Promise<number> {
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
    if (command.includes('/.mount_Sluice') && command.includes(data) && !command.includes('--type=')) return Number(pid)
  }
  return 0
}

describe.runIf(isRootOnLinux)('the AppImage', () => {
  const image = PACKAGES.AppImage ?? ''

  /** Starts its service, in a process group of its own as a terminal does, with its files below `folder`. */
  async function serve(folder: string, how: 'mounted' | 'unpacked') {
    const command = [image, 'serve', '--anonymous', '--dir', join(folder, 'store')]
    const [name = '', ...args] = how === 'mounted' ? command : ['unshare', ...WITHOUT_FUSE, ...command]
    const env = { ...(process.env as Record<string, string>), TMPDIR: folder }
    const program = spawn(name, args, { env, detached: true, stdio: ['ignore', 'pipe', 'ignore'] })
    const closed = once(program, 'close')
    onTestFinished(() => void program.kill('SIGKILL'))
    await once(createInterface(program.stdout), 'line')
    return { pid: program.pid ?? 0, closed }
  }

  beforeAll(() => apt('install', '--no-install-recommends', 'fuse3'))

  test('is of the second type, and its archive begins where its program says', async () => {
    const { stdout } = await run(image, ['--appimage-offset'])
    const file = await open(image)
    onTestFinished(() => file.close())
    const at = async (position: number, length: number) =>
      (await file.read(Buffer.alloc(length), 0, length, position)).buffer.toString('latin1')
    expect(await at(8, 3)).toBe('AI\x02')
    expect(await at(Number(stdout), 4)).toBe('hsqs')
  })

  test('needs no library of the system, and unpacks itself', async () => {
    const root = await tempDir()
    await mkdir(join(root, 'proc'))
    await copyFile(image, join(root, 'Sluice'))
    const inside = 'mount -t proc proc "$0/proc" && exec chroot "$0" /Sluice --appimage-extract "usr/share/doc/*"'
    await run('unshare', ['--mount', '--pid', '--fork', 'sh', '-c', inside, root])
    const doc = join(root, 'squashfs-root', 'usr', 'share', 'doc', 'sluice')
    expect(await readFile(join(doc, 'copyright'), 'utf8')).toContain('MIT')
    // What is linked into it asks for that.
    expect(await readFile(join(doc, 'runtime.txt'), 'utf8')).toMatch(/^libfuse3-dev \S+ \(LGPL-2\.1-only\)$/m)
    expect(await readdir(join(root, 'squashfs-root'))).toEqual(['usr'])
  })

  describe.each(['mounted', 'unpacked'] as const)('%s', (how) => {
    const isPossible = how === 'unpacked' || hasFuse

    test.runIf(isPossible)('tells the program of itself, and leaves nothing when that is killed', async () => {
      const folder = await tempDir()
      const { pid, closed } = await serve(folder, how)
      const variables = (await readFile(`/proc/${pid}/environ`, 'utf8')).split('\0')
      const [shown = ''] = (await readdir(folder)).filter((name) => name.startsWith('.mount_'))
      expect(variables).toContain(`APPIMAGE=${image}`)
      expect(variables).toContain(`APPDIR=${join(folder, shown)}`)
      expect(await mountsOf(pid)).toHaveLength(how === 'mounted' ? 1 : 0)
      process.kill(pid, 'SIGKILL')
      await closed
      await expect.poll(() => readdir(folder)).toEqual(['store'])
      expect(await mountsOf('self')).toEqual([])
    })

    test.runIf(isPossible)('keeps the program’s files until that has ended by Ctrl+C', async () => {
      const folder = await tempDir()
      const { pid, closed } = await serve(folder, how)
      process.kill(-pid, 'SIGINT')
      expect(await closed).toEqual([0, null])
      await expect.poll(() => readdir(folder)).toEqual(['store'])
    })
  })

  test.runIf(hasFuse)('shows its files to nobody but who mounted it, and to them read-only', async () => {
    const folder = await tempDir()
    const { pid } = await serve(folder, 'mounted')
    const [, path = '', type, options = ''] = (await mountsOf(pid)).join().split(' ')
    expect(type).toBe('fuse.squashfuse')
    expect(options.split(',')).toEqual(expect.arrayContaining(['ro', 'nosuid', 'nodev']))
    expect(options).not.toContain('allow_other')
    expect((await stat(join(path, 'AppRun'))).mode & 0o777).toBe(0o755)
  })

  test('starts the program, which uploads a dropped file and verifies it', () => usesItsWindow(image))

  test('has the command line, which needs no display', () => transfersWithoutDisplay(image))

  test('starts again when it is asked to, from the file that it is', async () => {
    const data = join(await tempDir(), 'data')
    const { page, closed, pid } = await openApp(image, data)
    await page.evaluate(() => window.sluice.invoke('app:restart', null)).catch(() => undefined)
    expect(await closed).toEqual([0, null])
    let again = 0
    await expect.poll(async () => (again = await windowOf(data))).toBeGreaterThan(0)
    onTestFinished(() => void process.kill(again, 'SIGTERM'))
    expect(again).not.toBe(pid)
    const folders = (await readFile(`/proc/${again}/environ`, 'utf8')).split('\0')
    expect(folders).toContain(`APPIMAGE=${image}`)
  })
})

describe.skipIf(!isRootOnLinux || noDesktop !== undefined)('the AppImage, for a person who is not root', () => {
  let desktop: DesktopSession

  beforeAll(async () => (desktop = await startDesktopSession()))
  afterAll(() => desktop.end())

  test('runs its page in Chromium’s sandbox, and uploads what is dropped', async () => {
    const image = join(desktop.home, 'Sluice.AppImage')
    await copyFile(PACKAGES.AppImage ?? '', image)
    const { page, pid } = await desktop.openSluice(image)
    await drawsInSandbox(pid)
    await dropFiles(page, [await desktop.file('film.mov', 24 * MIB)])
    await verified(page, 'film.mov', 'Upload')
  })
})
