import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { downloadedElectron, downloadEnvironment, executableIn } from '../../scripts/lib/electron/electron.mjs'
import { tempDir } from '../support/tools/temp-dir.ts'

it('an Electron whose unpacking was cut off is not taken for a whole one', async () => {
  const folder = await tempDir()
  const dist = join(folder, 'dist')
  expect(downloadedElectron(folder)).toBeUndefined()
  await mkdir(dirname(executableIn(dist)), { recursive: true })
  await writeFile(executableIn(dist), '')
  await writeFile(join(dist, 'version'), '45.4.1')
  expect(downloadedElectron(folder)).toBeUndefined()
  // Written last.
  await writeFile(join(folder, 'path.txt'), 'electron')
  expect(downloadedElectron(folder)).toBe(dist)
})

it('Electron is fetched for the processor that Node and its packages are of, also where another one is emulated', () => {
  expect(downloadEnvironment({ HOME: '/home' }, 'x64')).toEqual({ HOME: '/home', npm_config_arch: 'x64' })
  expect(downloadEnvironment({ npm_config_arch: 'arm64' }, 'x64')).toEqual({ npm_config_arch: 'arm64' })
})
