import { execFile } from 'node:child_process'
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { uptime } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { step } from './say.mjs'

/** Runs `work` while no other process of this user holds the same lock. Takes over a lock whose owner has died. */
export async function withLock(lockFolder, work) {
  await mkdir(dirname(lockFolder), { recursive: true })
  if (!(await taken(lockFolder))) {
    await step('Waiting for another run to finish the same step', async () => {
      do {
        if (await abandoned(lockFolder)) await rm(lockFolder, { recursive: true, force: true, maxRetries: 5 })
        else await sleep(300)
      } while (!(await taken(lockFolder)))
    })
  }
  try {
    return await work()
  } finally {
    await rm(lockFolder, { recursive: true, force: true, maxRetries: 5 })
  }
}

async function taken(lockFolder) {
  try {
    await mkdir(lockFolder)
  } catch (error) {
    if (isHeld(error, process.platform)) return false
    throw error
  }
  await writeFile(join(lockFolder, 'owner'), `${process.pid} ${await startOf(process.pid)}`)
  return true
}

/** Whether making a folder failed because it exists, or on Windows because its deletion has not finished. */
export function isHeld({ code }, platform) {
  return code === 'EEXIST' || (platform === 'win32' && code === 'EPERM')
}

async function abandoned(lockFolder) {
  const made = await stat(lockFolder).catch(() => undefined)
  if (made === undefined) return false
  const [, id, start] = /^(\d+) (.*)$/.exec(await readFile(join(lockFolder, 'owner'), 'utf8').catch(() => '')) ?? []
  // There are moments between mkdir and writing the owner. A process that died in them has left an old folder.
  if (id === undefined) return Date.now() - made.mtimeMs > OWNED_WITHIN_MS
  if (!alive(Number(id))) return true
  // Systems give the ids of ended processes to others, which start at another time.
  const found = start === '' ? '' : await startOf(Number(id))
  if (found !== '') return found !== start
  return made.mtimeMs + CLOCK_DIFFERENCE_MS < Date.now() - uptime() * 1000
}

/** Longer than it takes to ask when this process started. */
const OWNED_WITHIN_MS = 30_000
const ASK_TIMEOUT_MS = 10_000
/** How far the clock may have been set back since the lock was made. */
const CLOCK_DIFFERENCE_MS = 5 * 60_000

/** When a process started, in words that no other process with its id has; '' if the system doesn't say it quickly. */
async function startOf(id) {
  if (process.platform === 'win32') return ''
  if (process.platform === 'linux') return startOnLinux(id)
  const env = { ...process.env, LC_ALL: 'C', TZ: 'UTC' }
  const asked = promisify(execFile)('ps', ['-o', 'lstart=', '-p', String(id)], { timeout: ASK_TIMEOUT_MS, env })
  return asked.then(({ stdout }) => stdout.trim()).catch(() => '')
}

/** The start of the system, and the clock ticks from then until the process started (proc(5)). */
async function startOnLinux(id) {
  try {
    const facts = await readFile(`/proc/${id}/stat`, 'latin1')
    // The second field, the program's name in parentheses, may hold spaces and parentheses. Field 22 is the start.
    const ticks = facts.slice(facts.lastIndexOf(')') + 2).split(' ')[19]
    const boot = await readFile('/proc/sys/kernel/random/boot_id', 'latin1')
    return `${boot.trim()}/${ticks}`
  } catch {
    return ''
  }
}

function alive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}
