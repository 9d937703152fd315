// A notice of something that can be over by itself goes once it is.

import { request } from '../bridge.ts'
import { dismissNotice } from './ui/messages.ts'
import { uiStore, type UiState } from './ui/ui-store.ts'

/** How often the disk is looked at while the notice is shown, milliseconds. */
const LOOK_INTERVAL_MS = 5_000

/** Dismisses notices whose condition is over. Looks only while such a notice is shown. Call once. */
export function dismissWhenOver(): void {
  uiStore.subscribe(({ notice, noticeCondition }, before) => {
    if (notice !== null && notice !== before.notice && noticeCondition !== null) look(notice)
  })
}

function look(notice: UiState['notice']): void {
  const isShown = () => uiStore.getState().notice === notice
  setTimeout(() => {
    if (!isShown()) return
    void request('app:can-save', null)
      .catch(() => false)
      .then((isOver) => {
        if (!isShown()) return
        if (isOver) dismissNotice()
        else look(notice)
      })
  }, LOOK_INTERVAL_MS)
}
