import { expect, it } from 'vitest'
import { loadSettings } from '../../../electron/services/persistence/settings-store.ts'
import { DEFAULT_SETTINGS } from '../../../shared/settings.ts'
import { memoryValues } from '../../support/fakes/named-values.ts'

it('has the defaults until something is set', async () => {
  expect((await loadSettings(memoryValues())).get()).toEqual(DEFAULT_SETTINGS)
})

it('takes over that an earlier version was told not to ask at the end, until it is set', async () => {
  const values = memoryValues()
  await values.write('asks-at-quit', false)
  const settings = await loadSettings(values)
  expect(settings.get().whenClosed).toBe('quit')
  await settings.set({ whenClosed: 'ask' })
  expect((await loadSettings(values)).get().whenClosed).toBe('ask')
})

it('keeps what was set, and the defaults of the rest', async () => {
  const values = memoryValues()
  const set = await (await loadSettings(values)).set({ limitBytesPerSecond: 5_000_000 })
  expect(set).toEqual({ ...DEFAULT_SETTINGS, limitBytesPerSecond: 5_000_000 })
  expect((await loadSettings(values)).get()).toEqual(set)
})

it('keeps what it can read beside a member that it can’t, and that one until it is set', async () => {
  const values = memoryValues()
  await values.put('settings', '{"activeTransfers":2,"connectionsPerTransfer":"many","ofANewerVersion":[1]}')
  const settings = await loadSettings(values)
  expect(settings.get()).toEqual({ ...DEFAULT_SETTINGS, activeTransfers: 2 })
  await settings.set({ limitBytesPerSecond: 5_000_000 })
  expect(JSON.parse(values.text())).toEqual({
    ...{ activeTransfers: 2, connectionsPerTransfer: 'many', ofANewerVersion: [1] },
    limitBytesPerSecond: 5_000_000,
  })
  expect(await settings.set({ connectionsPerTransfer: 4 })).toMatchObject({ connectionsPerTransfer: 4 })
})

it('keeps a text that it can’t read at all beside what is set', async () => {
  const values = memoryValues()
  await values.put('settings', '[not settings')
  await (await loadSettings(values)).set({ activeTransfers: 3 })
  expect(values.text()).toContain('[not settings')
  expect((await loadSettings(values)).get().activeTransfers).toBe(3)
})

it.each(['not JSON', '{"activeTransfers":0}', '[]'])('starts with the defaults when %s was kept', async (json) => {
  const values = memoryValues()
  await values.put('settings', json)
  expect((await loadSettings(values)).get()).toEqual(DEFAULT_SETTINGS)
})

it('has a setting as it was where it can’t be kept, and what was set meanwhile', async () => {
  const values = memoryValues()
  await (await loadSettings(values)).set({ activeTransfers: 5 })
  let writes = 0
  const write = (name: string, value: unknown) => {
    writes += 1
    return writes === 1 ? Promise.reject(new Error('The disk is full')) : values.write(name, value)
  }
  const settings = await loadSettings({ ...values, write })
  const refused = settings.set({ activeTransfers: 7, connectionsPerTransfer: 3 })
  const kept = settings.set({ connectionsPerTransfer: 4 })
  await expect(refused).rejects.toThrow('The disk is full')
  await kept
  const left = { activeTransfers: 5, connectionsPerTransfer: 4 }
  expect(settings.get()).toMatchObject(left)
  expect((await loadSettings(values)).get()).toMatchObject(left)
})

it('says that what follows from a change can’t be kept, where that is so', async () => {
  const settings = await loadSettings(memoryValues())
  const told: number[] = []
  settings.follow(() => Promise.reject(new Error('The disk is full')))
  settings.follow(({ activeTransfers }) => told.push(activeTransfers))
  await expect(settings.set({ activeTransfers: 5 })).rejects.toThrow('The disk is full')
  expect(told).toEqual([5])
  expect(settings.get().activeTransfers).toBe(5)
})
