// What is known about newer versions of Sluice, as the main process last told it.

import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { NO_UPDATES, type UpdateAction, type UpdateStatus } from '../../shared/ipc/update-status.ts'
import { listen, request } from '../bridge.ts'
import { changeSettings } from './app-store.ts'
import { run } from './ui/messages.ts'

export interface UpdateState extends UpdateStatus {
  /** Whether the person has dismissed this step from the bar above the list. */
  readonly isDismissed: boolean
}

export const updateStore = createStore<UpdateState>(() => ({ ...NO_UPDATES, isDismissed: false }))

/** `pick` must return a primitive or a stored reference. */
export function useUpdates<Picked>(pick: (state: UpdateState) => Picked): Picked {
  return useStore(updateStore, pick)
}

/** Keeps the status up to date for the lifetime of the window. Throws RequestError. */
export async function connectUpdates(): Promise<void> {
  listen('updates:changed', show)
  show(await request('updates:get', null))
}

function show(status: UpdateStatus): void {
  updateStore.setState(({ step, isDismissed }) => {
    const isSame = step.kind === status.step.kind && !status.isAskedFor
    return { ...status, isDismissed: isSame && isDismissed }
  })
}

export function actOnUpdate(action: UpdateAction): void {
  run(request('updates:act', { action }))
}

export function dismissUpdate(): void {
  updateStore.setState({ isDismissed: true })
}

/** Stores the person's answer as a setting. */
export function answerConsent(checksForUpdates: boolean): void {
  run(changeSettings({ checksForUpdates }))
}

/** Installs the update that is ready once all transfers are done. */
export function updateWhenDone(): void {
  run(request('plans:set-when-done', { what: 'update' }))
}
