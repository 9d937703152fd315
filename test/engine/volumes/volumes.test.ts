import { expect, test } from 'vitest'
import type { FileSystem } from '../../../electron/engine/core/deps.ts'
import { inVolumeTurns } from '../../../electron/engine/volumes/volume-turns.ts'
import { Volumes } from '../../../electron/engine/volumes/volumes.ts'

/** A disk, and a share that is there or not; remembers the folders that were looked at. */
function createFolders() {
  const looks: string[] = []
  let isThere = true
  const fileSystem = {
    stat: (path: string) => {
      looks.push(path)
      if (!isThere) return Promise.reject(Object.assign(new Error('gone'), { code: 'ENOENT' }))
      return Promise.resolve({ dev: path.startsWith('/mnt') ? 2 : 1 })
    },
    unlink: () => Promise.resolve(),
  } as unknown as FileSystem
  return { looks, fileSystem, leave: () => (isThere = false), comeBack: () => (isThere = true) }
}

test('a folder is looked at once, whoever asks for its volume', async () => {
  const { looks, fileSystem } = createFolders()
  const volumes = new Volumes(fileSystem, '/home')
  const files = inVolumeTurns(fileSystem, volumes)
  await Promise.all([volumes.deviceOf('/home/me/a'), files.unlink('/home/me/b'), volumes.deviceOf('/home/me/c')])
  await files.unlink('/home/me/d')
  // The second look tells which volume is the home folder's.
  expect(looks).toEqual(['/home/me', '/home'])
})

test('files are on one volume, whatever their folder, or on different ones', async () => {
  const volumes = new Volumes(createFolders().fileSystem, '/home')
  const paths = ['/home/me/a', '/home/me/films/b', '/mnt/nas/c']
  expect(await Promise.all(paths.map((path) => volumes.deviceOf(path)))).toEqual([1, 1, 2])
})

test('a folder that is not found is looked for again the next time', async () => {
  const { fileSystem, leave, comeBack } = createFolders()
  const volumes = new Volumes(fileSystem, '/home')
  leave()
  expect(await volumes.deviceOf('/mnt/nas/a')).toBeNull()
  comeBack()
  expect(await volumes.deviceOf('/mnt/nas/a')).toBe(2)
})
