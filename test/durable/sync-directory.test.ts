import { open, type FileHandle } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { syncDirectory } from '../../electron/durable/sync-directory.ts'
import { systemError } from '../support/fakes/simulated-disk.ts'
import { tempDir } from '../support/tools/temp-dir.ts'

/** A file system that fails to flush folders. */
function failing(code: string) {
  const closed: string[] = []
  const fileSystem = {
    open: (async (path: string) => ({
      sync: () => Promise.reject(systemError(code, 'fsync')),
      close: () => Promise.resolve(void closed.push(path)),
    })) as unknown as typeof open,
  }
  return { fileSystem, closed }
}

test('leaves folders alone where they can’t be flushed, as on some network drives', async () => {
  const { fileSystem, closed } = failing('EINVAL')
  await syncDirectory(fileSystem, '/share')
  expect(closed).toEqual(['/share'])
})

test('a drive that fails is told of, and no folder stays open', async () => {
  const { fileSystem, closed } = failing('EIO')
  await expect(syncDirectory(fileSystem, '/disk')).rejects.toMatchObject({ code: 'EIO' })
  expect(closed).toEqual(['/disk'])
})

test('flushes a folder of this system', async () => {
  let synced = 0
  const counting = async (...given: Parameters<typeof open>): Promise<FileHandle> => {
    const handle = await open(...given)
    const sync = handle.sync.bind(handle)
    return Object.assign(handle, { sync: () => sync().then(() => void (synced += 1)) })
  }
  await syncDirectory({ open: counting }, await tempDir())
  if (process.platform !== 'win32') expect(synced).toBe(1)
})
