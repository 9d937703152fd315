import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import type { AppInfo } from '../../shared/ipc-contract.ts'
import type { NewPlace, Place, PlaceId } from '../../shared/place.ts'
import { DEFAULT_SETTINGS, type Settings } from '../../shared/settings.ts'
import { request } from '../bridge.ts'

export interface AppState {
  readonly info: AppInfo | null
  readonly places: readonly Place[]
  /** Where dropped files go and downloads are picked from. */
  readonly currentPlaceId: PlaceId | null
  readonly settings: Settings
}

export const appStore = createStore<AppState>(() => ({
  info: null,
  places: [],
  currentPlaceId: null,
  settings: DEFAULT_SETTINGS,
}))

/** `pick` must return a primitive or a stored reference. */
export function useApp<Picked>(pick: (state: AppState) => Picked): Picked {
  return useStore(appStore, pick)
}

export function currentPlace(state: AppState): Place | null {
  const { places, currentPlaceId } = state
  // At the start nothing is chosen: a place of one's own comes before the demo store.
  return places.find(({ id }) => id === currentPlaceId) ?? places.find(({ isDemo }) => !isDemo) ?? places[0] ?? null
}

export function placeById(state: AppState, id: PlaceId | null): Place | null {
  return state.places.find((place) => place.id === id) ?? null
}

/** Reads what the window needs to know once. Throws RequestError. */
export async function loadApp(): Promise<void> {
  const [info, places, settings] = await Promise.all([
    request('app:info', null),
    request('places:list', null),
    request('settings:get', null),
  ])
  appStore.setState({ info, places, settings })
}

export function chooseCurrentPlace(id: PlaceId): void {
  appStore.setState({ currentPlaceId: id })
}

/** Saves a place and makes it the current one. Throws RequestError. */
export async function addPlace(place: NewPlace): Promise<Place> {
  const added = await request('places:add', place)
  const places = await request('places:list', null)
  appStore.setState({ places, currentPlaceId: added.id })
  return added
}

/** Saves a place if its bucket can be listed. A new one that can't be is not kept. Throws RequestError. */
export async function addCheckedPlace(place: NewPlace): Promise<void> {
  const before = appStore.getState()
  const { id } = await addPlace(place)
  try {
    await request('objects:list', { placeId: id, prefix: '', marker: null })
  } catch (error) {
    if (before.places.every((each) => each.id !== id)) {
      await removePlace(id)
      appStore.setState({ currentPlaceId: before.currentPlaceId })
    }
    throw error
  }
}

/** Throws RequestError. */
export async function removePlace(id: PlaceId): Promise<void> {
  await request('places:remove', { id })
  appStore.setState({ places: await request('places:list', null) })
}

/** Throws RequestError. */
export async function changeSettings(changes: Partial<Settings>): Promise<void> {
  appStore.setState({ settings: await request('settings:set', changes) })
}
