import { beforeEach, expect, it } from 'vitest'
import { loadSettings, type SettingsStore } from '../../../electron/services/persistence/settings-store.ts'
import { UpdateError } from '../../../electron/services/updates/update-error.ts'
import type { UpdateList } from '../../../electron/services/updates/update-list.ts'
import { createUpdates, type UpdatePackages, type Updates } from '../../../electron/services/updates/updates.ts'
import type { UpdateStatus } from '../../../shared/ipc/update-status.ts'
import type { Settings, UpdateChannel } from '../../../shared/settings.ts'
import { createFakeClock, type FakeClock } from '../../support/fakes/fake-clock.ts'
import { memoryValues } from '../../support/fakes/named-values.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const listOf = (version: string): UpdateList => ({ version, file: { name: 'next', sizeBytes: 1, sha512: '' } })

let clock: FakeClock
let settings: SettingsStore
let asked: UpdateChannel[]
let newest: () => Promise<UpdateList>
let download: UpdatePackages['download']
let did: string[]
let isUsed: boolean

beforeEach(async () => {
  clock = createFakeClock()
  settings = await loadSettings(memoryValues())
  asked = []
  did = []
  isUsed = true
  newest = () => Promise.resolve(listOf('0.2.0'))
  download = () => Promise.resolve()
})

async function open(changes: Partial<Settings> = {}, canInstall = true, wasRefused = false): Promise<Updates> {
  await settings.set(changes)
  return createUpdates({
    host: 'sluice.example',
    version: '0.1.0',
    wasRefused,
    settings,
    clock,
    newest: (channel) => {
      asked.push(channel)
      return newest()
    },
    packages: canInstall
      ? { download: (...given) => download(...given), installAndRestart: () => Promise.resolve() }
      : null,
    mayAsk: () => isUsed,
    quit: () => did.push('quit'),
    onError: (what) => did.push(what),
  })
}

/** Resolves with the step once that is of a kind. */
async function reaches(updates: Updates, kind: UpdateStatus['step']['kind']) {
  await expect.poll(() => updates.status().step.kind).toBe(kind)
  return updates.status().step
}

it('asks no server before the person has agreed, and asks the person once it is used', async () => {
  isUsed = false
  const updates = await open()
  updates.start()
  await clock.advance(3 * DAY_MS)
  expect(asked).toEqual([])
  expect(updates.status().asksConsent).toBe(false)
  isUsed = true
  expect(updates.status().asksConsent).toBe(true)
  await settings.set({ checksForUpdates: false })
  await clock.advance(3 * DAY_MS)
  expect(updates.status().asksConsent).toBe(false)
  expect(asked).toEqual([])
})

it('says that an update could not be installed until the person looks again', async () => {
  const updates = await open({ checksForUpdates: true }, true, true)
  updates.start()
  await clock.advance(2 * DAY_MS)
  const failed = { kind: 'failed', problem: 'not-installed', version: null }
  expect(updates.status()).toMatchObject({ step: failed, isAskedFor: true })
  updates.act('check')
  await reaches(updates, 'offered')
})

it('looks at once when the person agrees, and every day from then on, until that is taken back', async () => {
  newest = () => Promise.resolve(listOf('0.1.0'))
  const updates = await open()
  updates.start()
  await settings.set({ checksForUpdates: true })
  await reaches(updates, 'newest')
  expect(asked).toEqual(['stable'])
  await clock.untilSleeping()
  await clock.advance(DAY_MS)
  await expect.poll(() => asked.length).toBe(2)
  await settings.set({ checksForUpdates: false })
  await clock.advance(3 * DAY_MS)
  expect(asked).toHaveLength(2)
})

it('downloads nothing before the person wants it, and installs nothing before the person restarts', async () => {
  const updates = await open({ checksForUpdates: true })
  let hasDownloaded = false
  download = (list, onFraction) => {
    hasDownloaded = true
    onFraction(0.5)
    return Promise.resolve(void did.push(list.version))
  }
  updates.start()
  expect(await reaches(updates, 'offered')).toMatchObject({ version: '0.2.0' })
  await clock.advance(3 * DAY_MS)
  expect(hasDownloaded).toBe(false)
  updates.act('download')
  await reaches(updates, 'ready')
  updates.close()
  expect(did).toEqual(['0.2.0'])
  expect(updates.isRestarting()).toBe(false)
  updates.act('restart')
  expect(did).toEqual(['0.2.0', 'quit'])
  expect(updates.isRestarting()).toBe(true)
})

it.each(['0.1.0', '0.0.9', '0.1.0-beta.7'])('offers no %s to 0.1.0', async (version) => {
  newest = () => Promise.resolve(listOf(version))
  const updates = await open()
  updates.act('check')
  await reaches(updates, 'newest')
  updates.act('download')
  expect(updates.status().step.kind).toBe('newest')
})

it('only tells where it can’t install', async () => {
  const updates = await open({}, false)
  updates.act('check')
  await reaches(updates, 'offered')
  updates.act('download')
  expect(updates.status()).toMatchObject({ installs: false, step: { kind: 'offered' } })
})

it('says to a person who asked why it knows nothing, and keeps quiet otherwise', async () => {
  newest = () => Promise.reject(new UpdateError('not-genuine', 'signed by someone else'))
  const updates = await open({ checksForUpdates: true })
  updates.start()
  expect(await reaches(updates, 'failed')).toMatchObject({ problem: 'not-genuine', version: null })
  expect(updates.status().isAskedFor).toBe(false)
  updates.act('check')
  await reaches(updates, 'failed')
  expect(updates.status().isAskedFor).toBe(true)
  expect(did).toEqual(['check for updates', 'check for updates'])
})

it('offers again what was stopped or went wrong, and never takes the damaged for ready', async () => {
  const updates = await open()
  updates.act('check')
  await reaches(updates, 'offered')
  download = (_list, _onFraction, signal) =>
    new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('stopped'))))
  updates.act('download')
  await reaches(updates, 'downloading')
  updates.act('stop')
  await reaches(updates, 'offered')
  // It may have come to its end by then.
  let end = (): void => undefined
  download = () => new Promise((resolve) => (end = resolve))
  updates.act('download')
  await reaches(updates, 'downloading')
  updates.act('stop')
  end()
  await reaches(updates, 'offered')

  download = () => Promise.reject(new UpdateError('damaged', 'is not the signed file'))
  updates.act('download')
  expect(await reaches(updates, 'failed')).toEqual({ kind: 'failed', problem: 'damaged', version: '0.2.0' })
  updates.act('restart')
  expect(updates.isRestarting()).toBe(false)
  download = () => Promise.resolve()
  updates.act('download')
  await reaches(updates, 'ready')
})

it('asks for the other channel when that is chosen, also while it waits for an answer', async () => {
  let answer: (list: UpdateList) => void = () => undefined
  newest = () => new Promise((resolve) => (answer = resolve))
  const updates = await open()
  updates.act('check')
  await settings.set({ updateChannel: 'beta' })
  answer(listOf('0.2.0'))
  await expect.poll(() => asked).toEqual(['stable', 'beta'])
  expect(updates.status().step.kind).toBe('checking')
  answer(listOf('0.3.0-beta.1'))
  expect(await reaches(updates, 'offered')).toMatchObject({ version: '0.3.0-beta.1' })
  await settings.set({ updateChannel: 'stable' })
  expect(updates.status().step.kind).toBe('idle')
})
