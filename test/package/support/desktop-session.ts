import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { expect } from 'vitest'
import { writeRandomFile } from '../../support/tools/random-file.ts'
import { whenHolds } from '../../support/tools/when-holds.ts'
import { driveApp, type OpenedApp } from './packages.ts'

const execute = promisify(execFile)

/** Debian's user without any rights of its own. */
const NOBODY = { uid: 65534, gid: 65534 }
const PASSWORD = 'password of the person'

/** A bus on which nothing starts by itself: no dialog of the system, none of its settings. */
const busFile = (folder: string) => `<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>unix:path=${folder}/bus</listen>
  <policy context="default"><allow send_destination="*"/><allow receive_sender="*"/><allow own="*"/></policy>
</busconfig>`

/** The desktop of a person who is not root: a screen, a window manager, a session bus and a keyring. */
export interface DesktopSession {
  readonly home: string
  /** A file of the person's, with random content. Resolves with its path. */
  file(name: string, sizeBytes: number): Promise<string>
  /** Runs a program as the person, to its end. */
  run(program: string, ...args: readonly string[]): Promise<{ readonly stdout: string }>
  /** Starts the keyring anew: opened by the person's password, or locked, as after a sign-in without one. */
  startKeyring(how: 'unlocked' | 'locked'): Promise<void>
  /** Starts a program of the person's, which ends with the session. */
  start(program: string, ...args: readonly string[]): void
  /** Opens the window; `program` is what was installed if none is given. */
  openSluice(program?: string): Promise<OpenedApp>
  end(): Promise<void>
}

export async function startDesktopSession(): Promise<DesktopSession> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-desktop-'))
  const [home, runtime] = [join(folder, 'home'), join(folder, 'run')]
  for (const path of [home, runtime]) await mkdir(path, { mode: 0o700 })
  for (const path of [folder, home, runtime]) await chown(path, NOBODY.uid, NOBODY.gid)
  await writeFile(join(runtime, 'bus.conf'), busFile(runtime))

  const screen = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1366x768x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  })
  const display = await firstLine(screen.stdio[3] as Readable)
  const env = {
    ...{ PATH: '/usr/bin:/bin', LANG: 'C.UTF-8', HOME: home, XDG_RUNTIME_DIR: runtime, DISPLAY: `:${display}` },
    // Chromium looks for a keyring on desktops that have one.
    ...{ XDG_CURRENT_DESKTOP: 'GNOME', DBUS_SESSION_BUS_ADDRESS: `unix:path=${runtime}/bus` },
  }
  const person = { ...NOBODY, env, cwd: home }
  const bus = spawn('dbus-daemon', ['--nofork', '--print-address', `--config-file=${runtime}/bus.conf`], {
    ...person,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  await firstLine(bus.stdout)
  const manager = spawn('openbox', { ...person, stdio: 'ignore' })
  const programs: ChildProcess[] = []
  let keyring: ChildProcess | null = null
  const run = (program: string, ...args: readonly string[]) => execute(program, [...args], person)

  return {
    home,
    run,
    file: async (name, sizeBytes) => {
      const path = join(home, name)
      await writeRandomFile(path, sizeBytes)
      await chown(path, NOBODY.uid, NOBODY.gid)
      return path
    },
    startKeyring: async (how) => {
      if (keyring !== null) await ended(keyring)
      const words = ['--foreground', '--components=secrets', ...(how === 'unlocked' ? ['--unlock'] : [])]
      keyring = spawn('gnome-keyring-daemon', words, { ...person, stdio: ['pipe', 'ignore', 'ignore'] })
      keyring.stdin?.end(PASSWORD)
      await whenHolds(async () => expect(await isLocked(run)).toBe(how === 'locked'))
    },
    start: (program, ...args) => void programs.push(spawn(program, args, { ...person, stdio: 'ignore' })),
    openSluice: (program = 'sluice') => driveApp(program, [], person),
    end: async () => {
      for (const program of [...programs, keyring, manager, bus, screen]) if (program !== null) await ended(program)
      await rm(folder, { recursive: true, force: true, maxRetries: 10 })
    },
  }
}

async function firstLine(stream: Readable): Promise<string> {
  const [line] = (await once(createInterface(stream), 'line')) as [string]
  return line
}

async function ended(program: ChildProcess): Promise<void> {
  if (program.exitCode !== null || program.signalCode !== null) return
  const exited = once(program, 'exit')
  program.kill('SIGTERM')
  await exited
}

/** Whether the person's keyring is locked; rejects where there is none yet. */
async function isLocked(run: DesktopSession['run']): Promise<boolean> {
  const login = ['--dest=org.freedesktop.secrets', '/org/freedesktop/secrets/collection/login']
  const locked = ['org.freedesktop.DBus.Properties.Get', 'string:org.freedesktop.Secret.Collection', 'string:Locked']
  const { stdout } = await run('dbus-send', '--session', '--print-reply=literal', ...login, ...locked)
  return stdout.includes('true')
}
