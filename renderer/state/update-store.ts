// What is known of newer versions of Sluice, as the main process last told it.

import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { NO_UPDATES, type UpdateAction, type UpdateStatus } from '../../shared/ipc/update-status.ts'
import { listen, request } from '../bridge.ts'
import { changeSettings } from './app-store.ts'
import { run } from './ui/messages.ts'

export interface UpdateState extends UpdateStatus {
  /** The person has seen this step and wants it no longer in front of the list. */
  readonly isDismissed: boolean
}

export const updateStore = createStore<UpdateState>(() => ({ ...NO_UPDATES, isDismissed: false }))

/** `pick` must return a primitive or a stored reference. */
export function useUpdates<Picked>(pick: (state: UpdateState) => Picked): Picked {
  return useStore(updateStore, pick)
}

/** Keeps it up to date for as long as the window lives. Throws RequestError. */
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

/** The person's answer; it is a setting from now on. */
export function answerConsent(checksForUpdates: boolean): void {
  run(changeSettings({ checksForUpdates }))
}

/** Installs what is ready once all transfers are done. */
export function updateWhenDone(): void {
  run(request('plans:set-when-done', { what: 'update' }))
}
