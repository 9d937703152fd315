import * as fs from 'node:fs/promises'
import { mkdir, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { makeFolders } from '../../../electron/engine/files/make-folders.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'

it('makes what is missing, and takes what is there', async () => {
  const folder = await tempDir()
  await makeFolders(fs, join(folder, 'a/b/c'), 0o700)
  expect((await stat(join(folder, 'a/b/c'))).isDirectory()).toBe(true)
  await makeFolders(fs, join(folder, 'a/b/c'))
  await mkdir(join(folder, 'real'))
  await symlink(join(folder, 'real'), join(folder, 'link'))
  await makeFolders(fs, join(folder, 'link'))
  await makeFolders(fs, join(folder, 'link/below'))
  expect((await stat(join(folder, 'real/below'))).isDirectory()).toBe(true)
})

it('says that a file has the name', async () => {
  const folder = await tempDir()
  await writeFile(join(folder, 'file'), '')
  const detail = `${join(folder, 'file')} is not a folder`
  await expect(makeFolders(fs, join(folder, 'file'))).rejects.toMatchObject({
    info: { code: 'target-unwritable', detail },
  })
  await expect(makeFolders(fs, join(folder, 'file/below'))).rejects.toMatchObject({ code: 'ENOTDIR' })
})

it('comes to an end where a file system has no such name, whatever is above it', async () => {
  const refused: string[] = []
  const fileSystem = {
    stat: fs.stat,
    mkdir: (path: string) => {
      refused.push(path)
      const code = path === '/' ? 'EEXIST' : 'ENOENT'
      return Promise.reject(Object.assign(new Error(code), { code }))
    },
  } as unknown as typeof fs
  await expect(makeFolders(fileSystem, '/net/none')).rejects.toMatchObject({ info: { code: 'target-unwritable' } })
  expect(refused).toEqual(['/net/none', '/net', '/', '/net'])
})
