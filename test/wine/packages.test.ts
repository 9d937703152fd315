import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, mkdir, open, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { tempDir } from '../support/tools/temp-dir.ts'
import { noWindows, toWindows, WINDOWS } from './support/windows-world.ts'

const ASSETS = join(import.meta.dirname, '..', '..', 'scripts', 'assets', 'windows')
const execute = promisify(execFile)

/** Around the hooks stands what electron-builder's own installer gives them. */
const installer = (isUpdated: boolean) => `Unicode true
Target amd64-unicode
OutFile installer.exe
RequestExecutionLevel user
!include LogicLib.nsh
!define isUpdated '"${isUpdated ? 'yes' : 'no'}" == "yes"'
Var appExe
Var installMode
!include "${join(ASSETS, 'installer.nsh')}"
Section
  SetOutPath $INSTDIR
  StrCpy $appExe "$INSTDIR\\Sluice.exe"
  StrCpy $installMode CurrentUser
  !insertmacro customInstall
  WriteUninstaller "$INSTDIR\\remove.exe"
SectionEnd
Section Uninstall
  !insertmacro customUnInstall
SectionEnd
`

const CLASSES = 'HKCU\\Software\\Classes'
const AT_LOGIN = 'HKCU\\Software\\Microsoft\\Windows\\CurrentVersion\\Run'

/** Runs a program of Windows to its end; resolves with its exit status and what it printed. */
async function inWindows(program: string, ...args: readonly string[]): Promise<{ status: number; stdout: string }> {
  const path = join(await tempDir(), 'stdout')
  const file = await open(path, 'w')
  const child = spawn(WINDOWS.wine, [program, ...args], { stdio: ['ignore', file.fd, 'ignore'] })
  const [status] = (await once(child, 'close')) as [number]
  await file.close()
  return { status, stdout: await readFile(path, 'utf8') }
}

/** Whether there is such a key, or a value of that name in it. */
async function isRegistered(key: string, value?: string): Promise<boolean> {
  const { status } = await inWindows('reg', 'query', key, ...(value === undefined ? [] : ['/v', value]))
  return status === 0
}

async function registrations(): Promise<Record<string, boolean>> {
  return {
    link: await isRegistered(`${CLASSES}\\sluice`, 'URL Protocol'),
    opens: await isRegistered(`${CLASSES}\\sluice\\shell\\open\\command`),
    login: await isRegistered(AT_LOGIN, 'app.sluice.desktop'),
    program: await isRegistered(`${CLASSES}\\Sluice.Transfer\\shell\\open\\command`),
    part: await isRegistered(`${CLASSES}\\.part\\OpenWithProgids`, 'Sluice.Transfer'),
    json: await isRegistered(`${CLASSES}\\.json\\OpenWithProgids`, 'Sluice.Transfer'),
  }
}

/** Installs, registers what the app itself does, and uninstalls. Resolves with what is registered before and after. */
async function installAndRemove({ isUpdated }: { readonly isUpdated: boolean }) {
  const folder = await tempDir()
  await writeFile(join(folder, 'installer.nsi'), installer(isUpdated))
  await execute('makensis', ['-V2', '-WX', join(folder, 'installer.nsi')])
  const target = toWindows(join(folder, 'program'))
  expect(await inWindows(join(folder, 'installer.exe'), '/S', `/D=${target}`)).toMatchObject({ status: 0 })
  await inWindows('reg', 'add', AT_LOGIN, '/v', 'app.sluice.desktop', '/d', 'Sluice.exe --hidden', '/f')
  const before = await registrations()
  // In its own place, so that it is over when its process is.
  const removal = await inWindows(join(folder, 'program', 'remove.exe'), '/S', `_?=${target}`)
  expect(removal).toMatchObject({ status: 0 })
  return { before, after: await registrations() }
}

const ALL = { link: true, opens: true, login: true, program: true, part: true, json: true }
const NONE = { link: false, opens: false, login: false, program: false, part: false, json: false }

describe.skipIf(noWindows !== undefined)('what is installed on Windows', () => {
  it('is offered for files and opens links, and takes all that it registered away when it is removed', async () => {
    expect(await installAndRemove({ isUpdated: false })).toEqual({ before: ALL, after: NONE })
  })

  it('stays registered when an update removes the older version', async () => {
    expect(await installAndRemove({ isUpdated: true })).toEqual({ before: ALL, after: ALL })
    expect(await installAndRemove({ isUpdated: false })).toMatchObject({ after: NONE })
  })

  it('has a command line that hands on words and exit status', async () => {
    const folder = await tempDir()
    const script = join(folder, 'resources', 'bin', 'sluice.cmd')
    await mkdir(dirname(script), { recursive: true })
    await copyFile(join(ASSETS, 'sluice.cmd'), script)
    // In the place of the app's program: Node, which says what it was given.
    await copyFile(WINDOWS.node, join(folder, 'Sluice.exe'))
    const say = join(folder, 'say.cjs')
    await writeFile(say, 'console.log(JSON.stringify(process.argv.slice(2))); process.exitCode = 3')
    const words = ['get', 'films/two words.mov', '--json']
    const { status, stdout } = await inWindows('cmd', '/c', toWindows(script), toWindows(say), ...words)
    expect(JSON.parse(stdout)).toEqual(words)
    expect(status).toBe(3)
  })
})
