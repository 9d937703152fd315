import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { constants } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { createPackageUpdater } from '../../../electron/services/updates/package-updater.ts'
import { isReplaceable } from '../../../electron/services/updates/mac-bundle.ts'
import type { UpdatePackages } from '../../../electron/services/updates/updates.ts'
import { tempDir } from '../../support/tools/temp-dir.ts'

const system = vi.hoisted(() => ({
  path: '',
  failure: null as Error | null,
  quitAndInstall: (_updater: { emit: (name: string, ...given: unknown[]) => boolean }): void => undefined,
}))

vi.mock('electron-updater', async () => {
  const { EventEmitter } = await import('node:events')
  class Updater extends EventEmitter {
    setFeedURL = () => undefined
    checkForUpdates = () => Promise.resolve({ isUpdateAvailable: true })
    downloadUpdate = () => (system.failure === null ? Promise.resolve([system.path]) : Promise.reject(system.failure))
    quitAndInstall = () => {
      system.quitAndInstall(this)
    }
  }
  const [Provider, CancellationToken] = [class {}, class {}]
  return { AppImageUpdater: Updater, MacUpdater: Updater, NsisUpdater: Updater, Provider, CancellationToken }
})

let did: string[]

beforeEach(async () => {
  did = []
  system.failure = null
  system.path = join(await tempDir(), 'next')
  await writeFile(system.path, 'next version')
})

/** A newer version that is here and whole. */
async function ready(platform: NodeJS.Platform): Promise<UpdatePackages> {
  const packages = createPackageUpdater({
    ...{ platform, url: 'https://updates.example/', configPath: '', appImage: null, args: ['--x'], isPackaged: true },
    signIn: () => Promise.resolve({ answer: () => undefined, isRefused: () => false }),
    exit: () => did.push('exit'),
    startAgain: (args) => did.push(`start again ${args.join(' ')}`),
    onError: (what) => did.push(what),
  })
  const sha512 = createHash('sha512').update('next version').digest('base64')
  const list = { version: '0.2.0', file: { name: 'next', sizeBytes: 12, sha512 } }
  await packages.download(list, () => undefined, new AbortController().signal)
  return packages
}

const STARTED_AGAIN = ['install update', 'start again --x --update-not-installed']

it.each(['darwin', 'win32'] as const)(
  'starts the version before again where the system refuses a new one (%s)',
  async (platform) => {
    system.quitAndInstall = (updater) => setImmediate(() => updater.emit('error', new Error('a read-only volume')))
    await (await ready(platform)).installAndRestart()
    expect(did).toEqual(STARTED_AGAIN)
  },
)

it.each(['darwin', 'win32'] as const)('starts it again where nothing comes of it (%s)', async (platform) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const begun = new Promise<void>((resolve) => (system.quitAndInstall = () => resolve()))
  const ended = (await ready(platform)).installAndRestart()
  await begun
  expect(did).toEqual([])
  await vi.runAllTimersAsync()
  await ended
  expect(did).toEqual(STARTED_AGAIN)
})

it.each(['darwin', 'win32'] as const)('starts it again where the new one was changed since (%s)', async (platform) => {
  const packages = await ready(platform)
  await writeFile(system.path, 'something else')
  system.quitAndInstall = () => did.push('installs')
  await packages.installAndRestart()
  expect(did).toEqual(STARTED_AGAIN)
})

it.each([
  ['ENOSPC', constants.errno.ENOSPC],
  ['Unknown system error -122', constants.errno.EDQUOT],
])('says that there is no room where the disk, or the person’s share of it, is full (%s)', async (code, errno) => {
  system.failure = Object.assign(new Error(code), { code, errno: -errno })
  await expect(ready('win32')).rejects.toMatchObject({ problem: 'no-room' })
})

it('leaves an app of macOS alone that can’t be replaced where it is', async () => {
  const failing = (code: string) => () => Promise.reject(Object.assign(new Error(code), { code }))
  const allowed = () => Promise.resolve()
  const program = '/Applications/Sluice.app/Contents/MacOS/Sluice'
  expect(await isReplaceable(program, allowed)).toBe(true)
  // macOS asks for the password of somebody who may.
  expect(await isReplaceable(program, failing('EACCES'))).toBe(true)
  expect(await isReplaceable('/Volumes/Sluice/Sluice.app/Contents/MacOS/Sluice', failing('EROFS'))).toBe(false)
  expect(await isReplaceable(`/private/var/folders/x/AppTranslocation/1/d${program}`, allowed)).toBe(false)
})
