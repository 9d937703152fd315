// Sheets and questions, one at a time each.

import type { DialogState, Question } from './dialog.ts'
import { uiStore, type UiState } from './ui-store.ts'

export function openDialog(dialog: DialogState): void {
  uiStore.setState({ dialog })
}

/** Opens it once no other sheet is open: an answer that comes late takes nothing from a person's hands. */
export function openWhenFree(dialog: DialogState): void {
  if (!hasSheet(uiStore.getState())) return openDialog(dialog)
  const stop = uiStore.subscribe(() => {
    // An earlier one may have opened just now.
    if (hasSheet(uiStore.getState())) return
    stop()
    openDialog(dialog)
  })
}

export function closeDialog(): void {
  uiStore.setState({ dialog: { kind: 'none' } })
}

export function ask(question: Question): void {
  uiStore.setState({ question })
}

export function closeQuestion(): void {
  uiStore.setState({ question: null })
}

/** Whether something stands in front of the window. */
export function hasSheet({ dialog, question }: Pick<UiState, 'dialog' | 'question'>): boolean {
  return dialog.kind !== 'none' || question !== null
}
