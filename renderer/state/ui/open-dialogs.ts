// Opens sheets and questions, one of each at a time.

import type { DialogState, Question } from './dialog.ts'
import { uiStore, type UiState } from './ui-store.ts'

export function openDialog(dialog: DialogState): void {
  uiStore.setState({ dialog })
}

/** Opens a sheet once no other is open, so that a late answer doesn't interrupt the person. */
export function openWhenFree(dialog: DialogState): void {
  if (!hasSheet(uiStore.getState())) return openDialog(dialog)
  const stop = uiStore.subscribe(() => {
    // Another waiting sheet may have opened just now.
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

/** Whether a sheet or question is open. */
export function hasSheet({ dialog, question }: Pick<UiState, 'dialog' | 'question'>): boolean {
  return dialog.kind !== 'none' || question !== null
}
