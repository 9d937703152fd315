import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import type { Place, PlaceId } from '../../../shared/place/place.ts'
import { groupOf } from '../../../shared/transfer/transfer-group.ts'
import type { TransferRow } from '../../../shared/transfer/transfer.ts'
import { liveRow, queueStore } from './queue-store.ts'

/** What is happening at a place: transfers run, one needs attention, or neither. */
export type PlaceLight = 'idle' | 'active' | 'attention'

/** Rows are scanned at most this often, milliseconds: there may be 100,000. */
const LOOK_INTERVAL_MS = 500

const lightsStore = createStore<{ readonly lights: ReadonlyMap<PlaceId, PlaceLight> }>(() => ({ lights: new Map() }))

export function usePlaceLight(id: PlaceId): PlaceLight {
  return useStore(lightsStore, ({ lights }) => lights.get(id) ?? 'idle')
}

/** Keeps the lights up to date with the queue for the lifetime of the window. */
export function connectPlaceLights(placesNow: () => readonly Place[]): void {
  let timer: ReturnType<typeof setTimeout> | null = null
  queueStore.subscribe((state, before) => {
    if (state.wording === before.wording) return
    timer ??= setTimeout(() => {
      timer = null
      const rows = queueStore.getState().order.flatMap((id) => liveRow(id) ?? [])
      lightsStore.setState({ lights: lightsOf(rows, placesNow()) })
    }, LOOK_INTERVAL_MS)
  })
}

/**
 * The light of each place that has one. A row that needs attention takes precedence over those that run. If a place
 * spans all buckets, a missing bucket concerns only the row. Pure.
 */
export function lightsOf(
  rows: readonly Pick<TransferRow, 'placeId' | 'status' | 'error'>[],
  places: readonly Pick<Place, 'id' | 'bucket'>[],
): ReadonlyMap<PlaceId, Exclude<PlaceLight, 'idle'>> {
  const lights = new Map<PlaceId, Exclude<PlaceLight, 'idle'>>()
  const spanning = new Set(places.filter(({ bucket }) => bucket === '').map(({ id }) => id))
  for (const { placeId, status, error } of rows) {
    const group = groupOf(status)
    if (placeId === null || (group !== 'active' && group !== 'attention')) continue
    if (error?.code === 'no-such-bucket' && spanning.has(placeId)) continue
    if (lights.get(placeId) !== 'attention') lights.set(placeId, group)
  }
  return lights
}
