import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { addPlacesOfFile, appStore, editPlace, movePlace } from '../../../renderer/state/app-store.ts'
import type { NewPlace, Place } from '../../../shared/place/place.ts'

const place = (id: string, name = id) => ({ id, name, isDemo: false }) as Place
const names = () => appStore.getState().places.map(({ name }) => name)

/** What main has, whatever it answers to a change. */
let kept: readonly Place[]

beforeEach(() => {
  kept = [place('a'), place('b')]
  appStore.setState({ places: kept })
})
afterEach(() => {
  vi.unstubAllGlobals()
  appStore.setState(appStore.getInitialState())
})

function refuseAfter(carryOut: () => void): void {
  const invoke = (name: string) => {
    if (name === 'places:list') return Promise.resolve({ ok: true, value: kept })
    carryOut()
    return Promise.resolve({ ok: false, error: { code: 'failed', message: 'The disk is full.' } })
  }
  vi.stubGlobal('window', { sluice: { invoke } })
}

it('shows places in the order that main has where another could not be kept', async () => {
  refuseAfter(() => undefined)
  await expect(movePlace('b', 'a')).rejects.toThrow('The disk is full.')
  expect(names()).toEqual(['a', 'b'])
})

it('shows the places of a file that came before one that could not be kept', async () => {
  refuseAfter(() => (kept = [...kept, place('c')]))
  await expect(addPlacesOfFile()).rejects.toThrow('The disk is full.')
  expect(names()).toEqual(['a', 'b', 'c'])
})

it('shows a place as it was saved where what it held up could not go on', async () => {
  refuseAfter(() => (kept = [place('a', 'studio'), place('b')]))
  await expect(editPlace('a', {} as NewPlace)).rejects.toThrow('The disk is full.')
  expect(names()).toEqual(['studio', 'b'])
})

it('says why a change failed, also where the places can’t be read afterwards', async () => {
  const error = (name: string) => ({
    code: 'failed',
    message: name === 'places:list' ? 'No answer.' : 'The disk is full.',
  })
  const invoke = (name: string) => Promise.resolve({ ok: false, error: error(name) })
  vi.stubGlobal('window', { sluice: { invoke } })
  await expect(editPlace('a', {} as NewPlace)).rejects.toThrow('The disk is full.')
  expect(names()).toEqual(['a', 'b'])
})
