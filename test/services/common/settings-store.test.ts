import { expect, it } from 'vitest'
import { loadSettings } from '../../../electron/services/common/settings-store.ts'
import { DEFAULT_SETTINGS } from '../../../shared/settings.ts'
import { memoryValues } from '../../support/fakes/named-values.ts'

it('has the defaults until something is set', async () => {
  expect((await loadSettings(memoryValues())).get()).toEqual(DEFAULT_SETTINGS)
})

it('keeps what was set, and the defaults of the rest', async () => {
  const values = memoryValues()
  const set = await (await loadSettings(values)).set({ limitBytesPerSecond: 5_000_000 })
  expect(set).toEqual({ ...DEFAULT_SETTINGS, limitBytesPerSecond: 5_000_000 })
  expect((await loadSettings(values)).get()).toEqual(set)
})

it.each(['not JSON', '{"activeTransfers":0}', '[]'])('starts with the defaults when %s was kept', async (json) => {
  const values = memoryValues()
  await values.put('settings', json)
  expect((await loadSettings(values)).get()).toEqual(DEFAULT_SETTINGS)
})
