// The version, places and settings, as the main process last sent them.

import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import type { AppInfo } from '../../shared/ipc/app-info.ts'
import type { PlaceCheck } from '../../shared/place/place-check.ts'
import {
  placeIdentity,
  type AwsProfile,
  type ImportedPlaces,
  type NewPlace,
  type Place,
  type PlaceId,
} from '../../shared/place/place.ts'
import { DEFAULT_SETTINGS, type LanguageChoice, type Settings } from '../../shared/settings.ts'
import { request } from '../bridge.ts'

export interface AppState {
  readonly info: AppInfo | null
  readonly places: readonly Place[]
  /** The place that dropped files go to and downloads are picked from. */
  readonly currentPlaceId: PlaceId | null
  readonly settings: Settings
  /** The language setting when main sent the places, because the name of the demo store depends on it. */
  readonly placesLanguage: LanguageChoice
}

export const appStore = createStore<AppState>(() => ({
  info: null,
  places: [],
  currentPlaceId: null,
  settings: DEFAULT_SETTINGS,
  placesLanguage: DEFAULT_SETTINGS.language,
}))

/** `pick` must return a primitive or a stored reference. */
export function useApp<Picked>(pick: (state: AppState) => Picked): Picked {
  return useStore(appStore, pick)
}

export function currentPlace(state: AppState): Place | null {
  const { places, currentPlaceId } = state
  // Nothing is chosen at the start; the person's own places come before the demo store.
  return places.find(({ id }) => id === currentPlaceId) ?? places.find(({ isDemo }) => !isDemo) ?? places[0] ?? null
}

export function placeById(state: AppState, id: PlaceId | null): Place | null {
  return state.places.find((place) => place.id === id) ?? null
}

/** Where a place's downloads go, or without a place those of links, unless a person chooses another folder. Pure. */
export function downloadsFolderOf(state: AppState, placeId: PlaceId | null): string {
  const own = placeById(state, placeId)?.downloadsFolder
  return own ?? state.settings.downloadsFolder ?? state.info?.downloadsFolder ?? ''
}

/** The existing place with the same service, bucket and keys. */
export function placeLike(place: NewPlace): Place | null {
  return appStore.getState().places.find((other) => placeIdentity(other) === placeIdentity(place)) ?? null
}

let loading: Promise<void> | null = null

/**
 * Reads, once, what the window needs at its start. Whatever needs a place waits for it: before, it looks as if there
 * were none. Throws RequestError.
 */
export function loadApp(): Promise<void> {
  loading ??= readApp()
  return loading
}

async function readApp(): Promise<void> {
  const [info, places, settings] = await Promise.all([
    request('app:info', null),
    request('places:list', null),
    request('settings:get', null),
  ])
  appStore.setState({ info, places, settings, placesLanguage: settings.language })
}

export function chooseCurrentPlace(id: PlaceId): void {
  appStore.setState({ currentPlaceId: id })
}

/** Awaits a change and reads the places again, even if the change failed halfway. Throws RequestError. */
async function afterChange<Value>(change: Promise<Value>): Promise<Value> {
  const value = await change.catch(async (failure: unknown) => {
    // The failure of the change matters more than one in reading the places.
    await reloadPlaces().catch(() => undefined)
    throw failure
  })
  await reloadPlaces()
  return value
}

async function reloadPlaces(): Promise<void> {
  appStore.setState({ places: await request('places:list', null) })
}

/** Saves a place and makes it the current one. Throws RequestError. */
export async function addPlace(place: NewPlace): Promise<Place> {
  const added = await afterChange(request('places:add', place))
  chooseCurrentPlace(added.id)
  return added
}

/** Adds a place like another one, whose secrets it takes over if it has none. Throws RequestError. */
export async function duplicatePlace(id: PlaceId, place: NewPlace): Promise<Place> {
  const added = await afterChange(request('places:duplicate', { id, place }))
  chooseCurrentPlace(added.id)
  return added
}

/** Saves a changed place. Throws RequestError. */
export async function editPlace(id: PlaceId, place: NewPlace): Promise<void> {
  await afterChange(request('places:edit', { id, place }))
}

/** Tries a place without saving it; with an id, with the secrets of that place if it has none. Throws RequestError. */
export async function checkPlace(id: PlaceId | null, place: NewPlace): Promise<PlaceCheck> {
  return request('places:check', { id, place })
}

/** Moves a place to the position of another one. Throws RequestError. */
export async function movePlace(id: PlaceId, to: PlaceId): Promise<void> {
  const { places } = appStore.getState()
  const from = places.findIndex((place) => place.id === id)
  const index = places.findIndex((place) => place.id === to)
  const moved = places[from]
  if (moved === undefined || index === -1 || from === index) return
  const order = places.filter((place) => place !== moved).toSpliced(index, 0, moved)
  // Set the order at once, so that a dragged row stays where it was dropped.
  appStore.setState({ places: order })
  await afterChange(request('places:reorder', { ids: order.map((place) => place.id) }))
}

/** Reads the profiles in `~/.aws`. Throws RequestError. */
export async function loadProfiles(): Promise<readonly AwsProfile[]> {
  return request('places:profiles', null)
}

/** Whether the keyring can be used by now. Throws RequestError. */
export async function unlockKeyring(): Promise<boolean> {
  const keyring = await request('keyring:unlock', null)
  const [info, places] = await Promise.all([request('app:info', null), request('places:list', null)])
  appStore.setState({ info, places })
  return keyring === 'ready'
}

/** Throws RequestError. */
export async function restartApp(): Promise<void> {
  await request('app:restart', null)
}

/** Adds the places in a file that the person chooses; null: they chose none. Throws RequestError. */
export async function addPlacesOfFile(): Promise<ImportedPlaces | null> {
  return afterChange(request('places:import', null))
}

/** Throws RequestError. */
export async function removePlace(id: PlaceId): Promise<void> {
  await afterChange(request('places:remove', { id }))
}

/** Throws RequestError. */
export async function reloadSettings(): Promise<void> {
  appStore.setState({ settings: await request('settings:get', null) })
}

/** How many changes of settings main has not answered yet. */
let changesUnderWay = 0

/**
 * Shows main's settings once they include all changes made here, and reads the places again if the language changed.
 * Throws RequestError.
 */
export async function showSettings(settings: Settings): Promise<void> {
  if (changesUnderWay === 0) appStore.setState({ settings })
  const { language } = settings
  if (language === appStore.getState().placesLanguage) return
  await reloadPlaces()
  appStore.setState({ placesLanguage: language })
}

/** Shows the change at once, so that the next one builds on it. Undoes it and throws RequestError if main refuses. */
export async function changeSettings(changes: Partial<Settings>): Promise<void> {
  appStore.setState(({ settings }) => ({ settings: { ...settings, ...changes } }))
  changesUnderWay += 1
  const settings = await request('settings:set', changes)
    .finally(() => (changesUnderWay -= 1))
    .catch(async (failure: unknown) => {
      await reloadSettings().catch(() => undefined)
      throw failure
    })
  await showSettings(settings)
}
