import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
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
  expect(downloadEnvironment({ HOME: '/home' }, 'x64')).toMatchObject({ HOME: '/home', npm_config_arch: 'x64' })
  expect(downloadEnvironment({ npm_config_arch: 'arm64' }, 'x64')).toMatchObject({ npm_config_arch: 'arm64' })
})

it('Electron is fetched through the proxy that the environment names', async () => {
  const asked: string[] = []
  const proxy = createServer().on('connect', ({ url }, socket) => {
    asked.push(url ?? '')
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n')
  })
  onTestFinished(() => void proxy.close())
  await once(proxy.listen(0, '127.0.0.1'), 'listening')
  const environment = {
    ...process.env,
    HTTPS_PROXY: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    NO_PROXY: '',
    electron_config_cache: await tempDir(),
    // Of another system, for it may be here already.
    ELECTRON_INSTALL_PLATFORM: process.platform === 'darwin' ? 'win32' : 'darwin',
  }
  const installer = createRequire(import.meta.url).resolve('electron/install.js')
  const env = downloadEnvironment(environment, 'x64') as NodeJS.ProcessEnv
  const child = spawn(process.execPath, [installer], { env, stdio: 'ignore' })
  expect(await once(child, 'close')).toEqual([1, null])
  expect(asked).toContain('github.com:443')
})
