import { symlink, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { BATCH_FILE_MAX_BYTES, tellApart } from '../../../electron/services/transfers/batch-files.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'

async function makeFiles(names: readonly string[]) {
  const folder = await tempDir()
  for (const name of names) await writeFile(join(folder, name), name)
  return { folder, files: names.map((name) => ({ sourcePath: join(folder, name), key: `up/${name}` })) }
}

const keysOf = (files: readonly { readonly key: string }[]) => files.map(({ key }) => key)

it('makes five small files one row, in the order of their keys, and leaves four alone', async () => {
  const { files } = await makeFiles(['e', 'b', 'd', 'a', 'c'])
  expect(keysOf((await tellApart(files)).together)).toEqual(['up/a', 'up/b', 'up/c', 'up/d', 'up/e'])
  expect(await tellApart(files.slice(1))).toEqual({ alone: files.slice(1), together: [] })
})

it('leaves large files and links a row of their own', async () => {
  const { folder, files } = await makeFiles(['a', 'b', 'c', 'd', 'e', 'large'])
  await truncate(join(folder, 'large'), BATCH_FILE_MAX_BYTES + 1)
  await symlink('a', join(folder, 'link'), 'junction')
  const { alone, together } = await tellApart([...files, { sourcePath: join(folder, 'link'), key: 'up/link' }])
  expect([keysOf(alone), together.length]).toEqual([['up/large', 'up/link'], 5])
})
