import * as fs from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { realPath } from '../../../electron/engine/system/real-path.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'

const failing = (code: string) => () => Promise.reject(Object.assign(new Error(code), { code }))

it('finds the real path on volumes of which Windows can’t tell it', async () => {
  const folder = await tempDir()
  await fs.mkdir(join(folder, 'real'))
  // A junction, which on Windows everybody may make.
  await fs.symlink(join(folder, 'real'), join(folder, 'link'), 'junction')
  expect(await realPath(join(folder, 'link'), failing('EISDIR'))).toBe(join(folder, 'real'))
  expect(await realPath(join(folder, 'link'))).toBe(join(folder, 'real'))
})

it('throws what the system says otherwise', async () => {
  await expect(realPath('anywhere', failing('EACCES'))).rejects.toMatchObject({ code: 'EACCES' })
  await expect(realPath(join(await tempDir(), 'none'))).rejects.toMatchObject({ code: 'ENOENT' })
})
