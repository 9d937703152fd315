// The details of the transfer that the inspector shows, including its speed over the last minute.

import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import type { TransferDetails, TransferId } from '../../shared/transfer/transfer.ts'
import { listen, request } from '../bridge.ts'
import { inspectedId } from './selectors.ts'
import { shownStore } from './shown-ids.ts'
import { run } from './ui/messages.ts'
import { uiStore } from './ui/ui-store.ts'

export interface DetailsState {
  readonly watchedId: TransferId | null
  readonly details: TransferDetails | null
}

export const detailsStore = createStore<DetailsState>(() => ({ watchedId: null, details: null }))

/** `pick` must return a primitive or a stored reference. */
export function useDetails<Picked>(pick: (state: DetailsState) => Picked): Picked {
  return useStore(detailsStore, pick)
}

/** Watches the transfer in the inspector, or none while that is closed. Returns a function that stops this. */
export function connectDetails(): () => void {
  function follow(): void {
    const state = uiStore.getState()
    const isShown = state.inspectorOpen || state.drawer === 'inspector'
    const watchedId = isShown ? inspectedId(shownStore.getState()) : null
    if (watchedId === detailsStore.getState().watchedId) return
    detailsStore.setState({ watchedId, details: null })
    run(request('queue:watch', { id: watchedId }))
  }

  const stopListening = listen('queue:details', (details) => {
    if (details.id === detailsStore.getState().watchedId) detailsStore.setState({ details })
  })
  const stopFollowing = [uiStore.subscribe(follow), shownStore.subscribe(follow)]
  follow()
  return () => {
    stopListening()
    for (const stop of stopFollowing) stop()
  }
}
