import { execFileSync } from 'node:child_process'
import { stat, symlink, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openSidecarKey } from '../../../electron/engine/system/sidecar-key.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'

const isWindows = process.platform === 'win32'

it.skipIf(isWindows).each([
  ['a pipe', (path: string) => Promise.resolve(execFileSync('mkfifo', [path]))],
  ['a link to a device without end', (path: string) => symlink('/dev/zero', path)],
  ['a file of a terabyte', (path: string) => writeFile(path, '').then(() => truncate(path, 1024 ** 4))],
])('a new key takes the place of %s', async (_what, place) => {
  const folder = await tempDir()
  const path = join(folder, 'sidecar.key')
  await place(path)
  const key = await openSidecarKey(folder)
  expect(key).toHaveLength(32)
  expect(await openSidecarKey(folder)).toEqual(key)
  expect((await stat(path)).isFile()).toBe(true)
})
