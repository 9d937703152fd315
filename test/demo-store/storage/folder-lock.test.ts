import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { lockFolder } from '../../../electron/demo-store/storage/folder-lock.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'

/** Leaves what a process leaves at a name when it is killed. */
async function leaveDeadSocket(path: string): Promise<void> {
  const script = `require('node:net').createServer().listen(${JSON.stringify(path)}, () => console.log('there'))`
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')
  child.kill('SIGKILL')
  await once(child, 'exit')
}

describe.skipIf(process.platform === 'win32')('A folder that a killed process had', () => {
  it('gets one owner, however many want it at once', async () => {
    for (let round = 0; round < 10; round++) {
      const directory = await tempDir()
      await leaveDeadSocket(join(directory, 'lock'))
      const outcomes = await Promise.allSettled(Array.from({ length: 6 }, () => lockFolder(directory)))
      const owners = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
      expect(owners.length, `round ${round}`).toBeLessThanOrEqual(1)
      for (const free of owners) await free()
      await (
        await lockFolder(directory)
      )()
    }
  })

  it('doesn’t keep the names of those that are long gone', async () => {
    const directory = await tempDir()
    await leaveDeadSocket(join(directory, 'lock-00000000'))
    await utimes(join(directory, 'lock-00000000'), 1, 1)
    const free = await lockFolder(directory)
    expect(await readdir(directory)).toHaveLength(1)
    await expect(lockFolder(directory)).rejects.toThrow('already served')
    await free()
    expect(await readdir(directory)).toEqual([])
  })

  it('is locked by a name that nobody else can take, where its path is long', async () => {
    const directory = join(await tempDir(), 'long-'.repeat(20))
    await mkdir(directory)
    const free = await lockFolder(directory)
    await expect(lockFolder(directory)).rejects.toThrow('already served')
    await free()
    await (
      await lockFolder(directory)
    )()
  })
})
