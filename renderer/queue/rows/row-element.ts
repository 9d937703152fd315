import type { TransferId } from '../../../shared/transfer/transfer.ts'

/** The focusable element of a line, if it is in the document: a row, or the button in the head of a group. */
export function rowElement(key: TransferId): HTMLElement | null {
  const row = document.querySelector<HTMLElement>(`[role="row"][data-id="${CSS.escape(key)}"]`)
  return row?.querySelector<HTMLElement>('[data-line-focus]') ?? row
}

/** The grid that an element of a line is in. */
export function gridOf(element: HTMLElement): Element | null {
  return element.closest('[role="treegrid"]')
}

/** The key of the line that an element belongs to: a transfer's id, or the key of a head; null: none. */
export function keyOfLine(target: EventTarget): TransferId | null {
  const row = target instanceof Element ? target.closest<HTMLElement>('[role="row"][data-id]') : null
  return row?.dataset['id'] ?? null
}
