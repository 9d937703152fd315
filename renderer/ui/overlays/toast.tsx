import { useEffect, useMemo, useRef } from 'react'
import { X } from 'lucide-react'
import { Button } from '../button.tsx'
import { useAttended } from './use-attended.ts'
import { createPausableTimer } from './pausable-timer.ts'
import { TOAST_TIME_MS } from '../../../shared/limits.ts'
import { visibleSentence } from './visible-sentence.ts'
import styles from './toast.module.css'
import { t } from '../../../shared/language/translate.ts'

/** The most toasts at a time. Others wait for room, so that none disappears before it can be read. */
const MOST_TOASTS = 3

interface ToastMessage {
  readonly key: string
  readonly text: () => string
  readonly actions: readonly { readonly label: () => string; readonly onPress: () => void }[]
}

export interface ToastsProps<Message extends ToastMessage> {
  /** Oldest first. A new object shows its message again. */
  readonly messages: readonly Message[]
  readonly onClose: (message: Message) => void
}

/** Short messages at the bottom left. Each disappears by itself, unless hovered or focused. Never used for errors. */
export function Toasts<Message extends ToastMessage>({ messages, onClose }: ToastsProps<Message>) {
  return (
    <div className={styles['toasts']}>
      {messages.slice(0, MOST_TOASTS).map((message) => (
        <Toast key={message.key} message={message} onClose={onClose} />
      ))}
    </div>
  )
}

interface ToastProps<Message> {
  readonly message: Message
  readonly onClose: (message: Message) => void
}

function Toast<Message extends ToastMessage>({ message, onClose }: ToastProps<Message>) {
  const element = useRef<HTMLDivElement>(null)
  const isAttended = useAttended(element)
  const timer = useMemo(() => createPausableTimer(() => onClose(message), TOAST_TIME_MS), [message, onClose])
  useEffect(() => {
    // It stays while the pointer is on it, or the focus in it, so that its buttons can be reached (WCAG 2.2.1).
    if (isAttended) return
    timer.resume()
    return timer.pause
  }, [timer, isAttended])
  return (
    <div ref={element} role="status" className={styles['toast']}>
      <span>{visibleSentence(message.text())}</span>
      {message.actions.map(({ label, onPress }) => (
        <Button
          key={label()}
          onPress={() => {
            onPress()
            onClose(message)
          }}
        >
          {label()}
        </Button>
      ))}
      <Button look="quiet" label={t('window.close-message')} onPress={() => onClose(message)}>
        <X size={14} aria-hidden />
      </Button>
    </div>
  )
}
