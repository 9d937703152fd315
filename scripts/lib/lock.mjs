import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
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
  await writeFile(join(lockFolder, 'pid'), String(process.pid))
  return true
}

/** Whether making a folder failed because it exists, or on Windows because its deletion has not finished. */
export function isHeld({ code }, platform) {
  return code === 'EEXIST' || (platform === 'win32' && code === 'EPERM')
}

async function abandoned(lockFolder) {
  const pid = Number(await readFile(join(lockFolder, 'pid'), 'utf8').catch(() => ''))
  if (pid > 0) return !alive(pid)
  // There is a moment between mkdir and writing the pid. A process that died in it has left an old folder.
  const made = await stat(lockFolder).catch(() => undefined)
  return made !== undefined && Date.now() - made.mtimeMs > 5_000
}

function alive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}
