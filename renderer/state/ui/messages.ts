// Messages that need no answer: notices and toasts.

import { t } from '../../../shared/language/translate.ts'
import { uiStore, type Toast, type ToastAction, type UiState } from './ui-store.ts'

export function showNotice(text: () => string): void {
  uiStore.setState(({ dialog }) => ({ notice: text, noticeOver: dialog }))
}

/** Whether the notice came while the present sheet was open, behind which nobody would read it. */
export function isInSheet({ dialog, noticeOver }: Pick<UiState, 'dialog' | 'noticeOver'>): boolean {
  return dialog.kind !== 'none' && dialog === noticeOver
}

export function dismissNotice(): void {
  uiStore.setState({ notice: null })
}

/** Shows a message in addition to others; it replaces one with the same `key`. */
export function showToast(text: () => string, actions: readonly ToastAction[] = [], key = text()): void {
  uiStore.setState(({ toasts }) => ({ toasts: [...toasts.filter((each) => each.key !== key), { key, text, actions }] }))
}

export function dismissToast(toast: Toast): void {
  uiStore.setState(({ toasts }) => ({ toasts: toasts.filter((each) => each !== toast) }))
}

/** Runs a request in the background, with a notice if it is refused, so that callers have nothing to await. */
export function run(pending: Promise<unknown>): void {
  pending.catch((error: unknown) => {
    showNotice(() => (error instanceof Error ? error.message : t('window.our-fault')))
  })
}
