import { mkdir, realpath, stat, symlink } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { lockFolder } from '../../../electron/demo-store/storage/folder-lock.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'

/** A folder with a path as long as a person may give it. */
async function deepFolder(): Promise<string> {
  const directory = join(await realpath(await tempDir()), 'long-'.repeat(20), 'longer-'.repeat(20))
  await mkdir(directory, { recursive: true })
  return directory
}

describe('A folder', () => {
  it('gets one owner, however many want it at once', async () => {
    for (let round = 0; round < 5; round++) {
      const directory = await tempDir()
      const outcomes = await Promise.allSettled(Array.from({ length: 6 }, () => lockFolder(directory)))
      const owners = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
      expect(owners.length, `round ${round}`).toBe(1)
      for (const free of owners) await free()
      await (
        await lockFolder(directory)
      )()
    }
  })

  it('has one owner, in whatever way it is named', async () => {
    const directory = await deepFolder()
    const link = join(await tempDir(), 'link')
    await symlink(directory, link, 'junction')
    const free = await lockFolder(directory)
    onTestFinished(free)
    for (const name of [link, relative(process.cwd(), directory), `${directory}/../${'longer-'.repeat(20)}`]) {
      await expect(lockFolder(name), name).rejects.toThrow('already served')
    }
  })

  it('has one owner, wherever temporary files are kept', async () => {
    const directory = await deepFolder()
    const free = await lockFolder(directory)
    onTestFinished(free)
    vi.stubEnv('TMPDIR', await tempDir())
    onTestFinished(() => void vi.unstubAllEnvs())
    await expect(lockFolder(directory)).rejects.toThrow('already served')
  })

  it.skipIf(process.platform === 'win32')('can’t be kept busy by another user', async () => {
    const directory = await tempDir()
    const free = await lockFolder(directory)
    onTestFinished(free)
    expect((await stat(join(directory, 'lock.db'))).mode & 0o077).toBe(0)
  })
})
