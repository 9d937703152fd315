import type { TransferId } from '../../shared/transfer/transfer.ts'

/** The element of a row, if it is in the document. */
export function rowElement(id: TransferId): HTMLElement | null {
  return document.querySelector<HTMLElement>(`[role="row"][data-id="${CSS.escape(id)}"]`)
}
