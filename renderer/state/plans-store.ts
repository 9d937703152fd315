// What is going to happen by itself: the end of a pause, sleep when all is done. Main knows; this is its latest word.

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

/** Keeps the plans up to date for as long as the window lives. Throws RequestError. */
export async function connectPlans(): Promise<void> {
  listen('plans:changed', (plans) => plansStore.setState(plans))
  plansStore.setState(await request('plans:get', null))
}

/** Lets go on at once what is paused for a time. */
export function resumePaused(): void {
  run(request('plans:resume-now', null))
}

/** The second, lower limit holds, or no longer. */
export function setLowSpeed(isOn: boolean): void {
  run(request('plans:set-low-speed', { isOn }))
}

/** Whether all of these downloads are opened once they are done. */
export function areOpenedWhenDone(ids: readonly TransferId[]): boolean {
  const opened = new Set(plansStore.getState().opensWhenDone)
  return ids.length > 0 && ids.every((id) => opened.has(id))
}

export function openWhenDone(ids: readonly TransferId[], opens: boolean): void {
  run(requestForRows('plans:open-when-done', { ids, opens }))
}

/** Nothing happens when all is done. */
export function cancelWhenDone(): void {
  run(request('plans:set-when-done', { what: 'nothing' }))
}
