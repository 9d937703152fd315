// Which process writes a partial file, and whether it still runs. Systems give the ids of ended processes to others.

import { execFile } from 'node:child_process'
// eslint-disable-next-line no-restricted-syntax -- files in /proc are made in memory when they are read
import { readFileSync } from 'node:fs'
import { hostname, uptime } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { errnoCode } from '../../errno/errno.ts'

/** A process, as sidecars name it. */
export interface Owner {
  /** Host name and process id, such as `desk/4711`. */
  readonly owner: string
  /** Boot and start time, which together no other process with this id has; null where the system tells no such thing. */
  readonly ownerStart: string | null
}

/** How far behind the clock of a server that keeps the file may be (milliseconds). */
const CLOCK_DIFFERENCE_MS = 5 * 60_000
/** Asking another program when a process started takes no longer (milliseconds). */
const ASK_TIMEOUT_MS = 10_000
/** The unit of start times in /proc, on every architecture (clock ticks a second). */
const TICKS_PER_SECOND = 100

/** Read once: it never changes. */
let own: LinuxStart | null | undefined

/** This process. */
export function ownProcess(): Owner {
  return { owner: ownName(), ownerStart: ownStart()?.token ?? null }
}

function ownName(): string {
  return `${hostname()}/${process.pid}`
}

/**
 * Whether the writer of a file is another process on this computer that still runs. `writtenAtMs` is when it last wrote
 * the file: a process that started later is not the writer, even if it has its id.
 */
export async function isStillRunning({ owner, ownerStart }: Owner, writtenAtMs: number): Promise<boolean> {
  const match = /^(.*)\/(\d+)$/s.exec(owner)
  if (match === null || match[1] !== hostname() || owner === ownName()) return false
  const id = Number(match[2])
  if (!isTaken(id)) return false
  const found = startOnLinux(id)
  if (found !== null && ownerStart !== null) return found.token === ownerStart
  const startedAtMs = wallClockOf(found) ?? (await startElsewhere(id)) ?? Date.now() - uptime() * 1000
  return writtenAtMs + CLOCK_DIFFERENCE_MS > startedAtMs
}

/** Whether any process has the id. */
function isTaken(id: number): boolean {
  try {
    process.kill(id, 0)
    return true
  } catch (failure) {
    return errnoCode(failure) === 'EPERM'
  }
}

interface LinuxStart {
  /** Clock ticks since the system started. */
  readonly ticks: number
  /** The same, and which start of the system that was. */
  readonly token: string
}

/** When a process started (proc(5)); null if /proc doesn't tell. */
function startOnLinux(id: number): LinuxStart | null {
  if (process.platform !== 'linux') return null
  try {
    const facts = readFileSync(`/proc/${String(id)}/stat`, 'latin1')
    // The second field, the program's name in parentheses, may hold spaces and parentheses. Field 22 is the start.
    const ticks = facts.slice(facts.lastIndexOf(')') + 2).split(' ')[19] ?? ''
    if (!/^\d+$/.test(ticks)) return null
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()
    return { ticks: Number(ticks), token: `${boot}/${ticks}` }
  } catch {
    return null
  }
}

function ownStart(): LinuxStart | null {
  if (own === undefined) own = startOnLinux(process.pid)
  return own
}

/** The start of a process in milliseconds since 1970, counted from that of this process, as containers hide the system's. */
function wallClockOf(start: LinuxStart | null): number | null {
  const here = ownStart()
  if (start === null || here === null) return null
  const startedHereMs = Date.now() - process.uptime() * 1000
  return startedHereMs + ((start.ticks - here.ticks) / TICKS_PER_SECOND) * 1000
}

/** When a process started, milliseconds since 1970, where another program has to be asked; null if it doesn't tell. */
async function startElsewhere(id: number): Promise<number | null> {
  if (process.platform === 'linux') return null
  const [program, ...args] = process.platform === 'win32' ? askWindows(id) : askUnix(id)
  const env = { ...process.env, LC_ALL: 'C' }
  const asked = promisify(execFile)(program, args, { timeout: ASK_TIMEOUT_MS, windowsHide: true, env })
  const text = await asked.then(({ stdout }) => stdout.trim()).catch(() => '')
  const startedAtMs = Date.parse(text)
  return Number.isNaN(startedAtMs) ? null : startedAtMs
}

function askUnix(id: number): readonly [program: string, ...args: string[]] {
  return ['ps', '-o', 'lstart=', '-p', String(id)]
}

function askWindows(id: number): readonly [program: string, ...args: string[]] {
  const root = process.env['SystemRoot'] ?? 'C:\\Windows'
  const powershell = join(root, 'System32', 'WindowsPowerShell', 'v1.0', 'powershell.exe')
  return [
    powershell,
    '-NoProfile',
    '-NonInteractive',
    '-Command',
    `(Get-Process -Id ${String(id)}).StartTime.ToString('o')`,
  ]
}
