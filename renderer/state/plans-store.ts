// What will happen by itself, such as the end of a pause, or sleep when all is done, as main last told it.

import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import type { Plans } from '../../shared/ipc/desktop-requests.ts'
import type { TransferId } from '../../shared/transfer/transfer.ts'
import { listen, request, requestForRows } from '../bridge.ts'
import { run } from './ui/messages.ts'

export const plansStore = createStore<Plans>(() => ({
  pausedUntilMs: null,
  lowSpeed: { isOn: false, untilMs: null },
  whenDone: 'nothing',
  countdown: null,
  opensWhenDone: [],
}))

/** `pick` must return a primitive or a stored reference. */
export function usePlans<Picked>(pick: (plans: Plans) => Picked): Picked {
  return useStore(plansStore, pick)
}

/** Keeps the plans up to date for the lifetime of the window. Throws RequestError. */
export async function connectPlans(): Promise<void> {
  listen('plans:changed', (plans) => plansStore.setState(plans))
  plansStore.setState(await request('plans:get', null))
}

/** Ends a timed pause at once. */
export function resumePaused(): void {
  run(request('plans:resume-now', null))
}

/** Turns the second, lower limit on or off. */
export function setLowSpeed(isOn: boolean): void {
  run(request('plans:set-low-speed', { isOn }))
}

/** Whether all of these downloads will be opened once they are done. */
export function areOpenedWhenDone(ids: readonly TransferId[]): boolean {
  const opened = new Set(plansStore.getState().opensWhenDone)
  return ids.length > 0 && ids.every((id) => opened.has(id))
}

export function openWhenDone(ids: readonly TransferId[], opens: boolean): void {
  run(requestForRows('plans:open-when-done', { ids, opens }))
}

/** Cancels what would happen when all is done. */
export function cancelWhenDone(): void {
  run(request('plans:set-when-done', { what: 'nothing' }))
}
