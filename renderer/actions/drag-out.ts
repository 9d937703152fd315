// Dragging files of finished transfers out of the window.

import { t } from '../../shared/language/translate.ts'
import { MAX_REQUEST_ITEMS } from '../../shared/limits.ts'
import type { TransferId } from '../../shared/transfer/transfer.ts'
import { request } from '../bridge.ts'
import { liveRow } from '../state/queue/queue-store.ts'
import { run, showNotice } from '../state/ui/messages.ts'
import { splitPath } from './rows/local-path.ts'

/** The names of the files being dragged out; empty: there are none. */
let namesOut: ReadonlySet<string> = new Set()

/** Hands the files to the system, which continues the drag. */
export function dragOut(ids: readonly TransferId[]): void {
  if (ids.length > MAX_REQUEST_ITEMS) return showNotice(() => t('commands.drag.too-many', { most: MAX_REQUEST_ITEMS }))
  namesOut = new Set(ids.map((id) => splitPath(liveRow(id)?.localPath ?? '').name))
  window.addEventListener('pointermove', endWhenReleased)
  run(request('shell:drag', { ids }))
}

/** The page gets no events of the system's drag, nor of its end. It is over when no button is held down any more. */
function endWhenReleased({ buttons }: PointerEvent): void {
  if (buttons !== 0) return
  namesOut = new Set()
  window.removeEventListener('pointermove', endWhenReleased)
}

/** Whether what is dragged over the window may come from its own list. Before the drop, its content is unknown. */
export function mayBeDraggedOut(): boolean {
  return namesOut.size > 0
}

/** Whether files dropped on the window come from its own list. */
export function areDraggedOut(files: readonly Pick<File, 'name'>[]): boolean {
  return files.length === namesOut.size && files.every(({ name }) => namesOut.has(name))
}
