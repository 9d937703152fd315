// Messages that need no answer: notices and toasts.

import { sentences } from '../../../shared/language/sentences.ts'
import { t } from '../../../shared/language/translate.ts'
import { refusalWords, type Refusal } from '../../../shared/transfer/words/error-words.ts'
import { RequestError } from '../../bridge.ts'
import { uiStore, type NoticeCondition, type Toast, type ToastAction, type UiState } from './ui-store.ts'

export function showNotice(text: () => string, condition: NoticeCondition | null = null): void {
  uiStore.setState(({ dialog }) => ({ notice: text, noticeCondition: condition, noticeOver: dialog }))
}

/** Shows why main refused something, or what it tells by itself. */
export function showRefusals(refusals: readonly Refusal[]): void {
  const isUnwritable = refusals.every((each) => typeof each !== 'string' && 'key' in each && each.key === NOT_SAVED)
  showNotice(() => sentences(refusals.map(refusalWords)), isUnwritable ? 'state-unwritable' : null)
}

const NOT_SAVED = 'services.request.not-saved'

/** Whether the notice came while the present sheet was open, behind which nobody would read it. */
export function isInSheet({ dialog, noticeOver }: Pick<UiState, 'dialog' | 'noticeOver'>): boolean {
  return dialog.kind !== 'none' && dialog === noticeOver
}

export function dismissNotice(): void {
  uiStore.setState({ notice: null, noticeCondition: null })
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
    if (error instanceof RequestError) showRefusals([error.refusal])
    else showNotice(() => (error instanceof Error ? error.message : t('window.our-fault')))
  })
}
