import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, mkdir, open, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
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

/** Where the commands are below the folder of the app. */
const COMMANDS = join('resources', 'bin')
const CLASSES = 'HKCU\\Software\\Classes'
const ENVIRONMENT = 'HKCU\\Environment'
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

/** Whether each thing is registered that what is installed in `program` registers. */
async function registrations(program: string): Promise<Record<string, boolean>> {
  return {
    commands: (await readPath())?.[1]?.includes(toWindows(join(program, COMMANDS))) === true,
    link: await isRegistered(`${CLASSES}\\sluice`, 'URL Protocol'),
    opens: await isRegistered(`${CLASSES}\\sluice\\shell\\open\\command`),
    login: await isRegistered(AT_LOGIN, 'app.sluice.desktop'),
    program: await isRegistered(`${CLASSES}\\Sluice.Transfer\\shell\\open\\command`),
    part: await isRegistered(`${CLASSES}\\.part\\OpenWithProgids`, 'Sluice.Transfer'),
    json: await isRegistered(`${CLASSES}\\.json\\OpenWithProgids`, 'Sluice.Transfer'),
  }
}

/** Makes the installer, which runs as often as it is asked to, and what removes again what it has installed. */
async function createInstaller(isUpdated: boolean) {
  const folder = await tempDir()
  await writeFile(join(folder, 'installer.nsi'), installer(isUpdated))
  await execute('makensis', ['-V2', '-WX', join(folder, 'installer.nsi')])
  const program = join(folder, 'program')
  const succeeds = async (...command: readonly [string, ...string[]]) =>
    expect(await inWindows(...command)).toMatchObject({ status: 0 })
  return {
    program,
    install: () => succeeds(join(folder, 'installer.exe'), '/S', `/D=${toWindows(program)}`),
    // In its own place, so that it is over when its process is.
    remove: () => succeeds(join(program, 'remove.exe'), '/S', `_?=${toWindows(program)}`),
  }
}

/** Installs, registers what the app itself does, and uninstalls. Resolves with what is registered before and after. */
async function installAndRemove({ isUpdated }: { readonly isUpdated: boolean }) {
  const { program, install, remove } = await createInstaller(isUpdated)
  await install()
  await inWindows('reg', 'add', AT_LOGIN, '/v', 'app.sluice.desktop', '/d', 'Sluice.exe --hidden', '/f')
  const before = await registrations(program)
  await remove()
  return { before, after: await registrations(program) }
}

/** The type and the text of the person's own PATH; null: there is none. */
async function readPath(): Promise<readonly string[] | null> {
  const { stdout } = await inWindows('reg', 'query', ENVIRONMENT, '/v', 'Path')
  return /^ {4}Path {4}(\S+) {4}(.*?)\r?$/m.exec(stdout)?.slice(1) ?? null
}

async function setPath(path: readonly [type: string, text: string] | null): Promise<void> {
  await inWindows('reg', 'delete', ENVIRONMENT, '/v', 'Path', '/f')
  if (path === null) return
  const [type, text] = path
  await inWindows('reg', 'add', ENVIRONMENT, '/v', 'Path', '/t', type, '/d', text, '/f')
}

/** NSIS holds texts of 8192 characters at most. */
const LONG = Array.from({ length: 300 }, (_, at) => `%USERPROFILE%\\programs\\number ${String(at)}`).join(';')

/** Puts the commands into a folder of the app. Resolves with the word that has them say what else they are given. */
async function putCommands(folder: string): Promise<string> {
  const script = join(folder, COMMANDS, 'sluice.cmd')
  await mkdir(dirname(script), { recursive: true })
  await copyFile(join(ASSETS, 'sluice.cmd'), script)
  // In the place of the app's program: Node.
  await copyFile(WINDOWS.node, join(folder, 'Sluice.exe'))
  const says = join(folder, 'say.cjs')
  await writeFile(says, 'console.log(JSON.stringify(process.argv.slice(2))); process.exitCode = 3')
  return toWindows(says)
}

const ALL = { commands: true, link: true, opens: true, login: true, program: true, part: true, json: true }
const NONE = { commands: false, link: false, opens: false, login: false, program: false, part: false, json: false }

describe.skipIf(noWindows !== undefined)('what is installed on Windows', () => {
  it('is offered for files and opens links, and takes all that it registered away when it is removed', async () => {
    expect(await installAndRemove({ isUpdated: false })).toEqual({ before: ALL, after: NONE })
  })

  it('stays registered when an update removes the older version', async () => {
    onTestFinished(() => setPath(null))
    expect(await installAndRemove({ isUpdated: true })).toEqual({ before: ALL, after: ALL })
    expect(await installAndRemove({ isUpdated: false })).toMatchObject({ after: NONE })
  })

  it.each([
    ['none', null],
    ['a plain one', ['REG_SZ', 'C:\\tools']],
    ['one that ends in a semicolon', ['REG_EXPAND_SZ', '%USERPROFILE%\\bin;']],
    ['one longer than any text of the installer', ['REG_EXPAND_SZ', LONG]],
  ] as const)('adds its commands to the PATH once, and takes back no more than that: %s', async (_what, path) => {
    onTestFinished(() => setPath(null))
    await setPath(path)
    expect(await readPath()).toEqual(path)
    const { program, install, remove } = await createInstaller(false)
    const commands = toWindows(join(program, COMMANDS))
    await install()
    const [type, text] = path ?? ['REG_EXPAND_SZ', '']
    const added = [type, text === '' ? commands : `${text};${commands}`]
    expect(await readPath()).toEqual(added)
    await install()
    expect(await readPath()).toEqual(added)
    await remove()
    expect(await readPath()).toEqual(path)
  })

  it('leaves what comes after its commands in the PATH', async () => {
    onTestFinished(() => setPath(null))
    const { program, install, remove } = await createInstaller(false)
    await install()
    const commands = toWindows(join(program, COMMANDS))
    await setPath(['REG_SZ', `C:\\first;${commands.toUpperCase()};${commands} of others;C:\\last`])
    await remove()
    expect(await readPath()).toEqual(['REG_SZ', `C:\\first;${commands} of others;C:\\last`])
  })

  it('is there for the next prompt by its name', async () => {
    onTestFinished(() => setPath(null))
    const { program, install } = await createInstaller(false)
    await install()
    const { status, stdout } = await inWindows('cmd', '/c', 'sluice', await putCommands(program), 'words')
    expect(JSON.parse(stdout)).toEqual(['words'])
    expect(status).toBe(3)
  })

  it('has a command line that hands on words and exit status', async () => {
    const folder = await tempDir()
    const says = await putCommands(folder)
    const script = toWindows(join(folder, COMMANDS, 'sluice.cmd'))
    const words = ['get', 'films/two words.mov', '--json']
    const { status, stdout } = await inWindows('cmd', '/c', script, says, ...words)
    expect(JSON.parse(stdout)).toEqual(words)
    expect(status).toBe(3)
  })
})
