import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { expandPaths } from '../../../electron/services/transfers/expand-paths.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'

test('a chosen link is followed, to a file as to a folder; links below a folder are not', async () => {
  const root = await tempDir()
  await mkdir(join(root, 'album/empty'), { recursive: true })
  await writeFile(join(root, 'album/b.jpg'), 'b')
  await writeFile(join(root, 'album/a.jpg'), 'a')
  await writeFile(join(root, 'album/.DS_Store'), 'x')
  await symlink('a.jpg', join(root, 'album/same.jpg'))
  await symlink('album', join(root, 'holiday'))
  await symlink('album/a.jpg', join(root, 'cover.jpg'))
  await symlink('nowhere', join(root, 'broken'))
  const chosen = ['holiday', 'cover.jpg', 'broken'].map((name) => join(root, name))
  expect(await expandPaths(chosen, '2026/')).toEqual({
    files: [
      { sourcePath: join(root, 'holiday/a.jpg'), key: '2026/holiday/a.jpg' },
      { sourcePath: join(root, 'holiday/b.jpg'), key: '2026/holiday/b.jpg' },
      { sourcePath: join(root, 'cover.jpg'), key: '2026/cover.jpg' },
    ],
    skipped: [
      '.DS_Store is left out.',
      'same.jpg was skipped: it is a link or not a regular file.',
      'broken can’t be read.',
    ],
    unreadable: [join(root, 'broken')],
  })
})
