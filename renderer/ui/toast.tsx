import { useEffect } from 'react'
import { X } from 'lucide-react'
import { visibleText } from '../../shared/visible-text.ts'
import { Button } from './button.tsx'
import styles from './toast.module.css'

const TOAST_TIME_MS = 8000

export interface ToastProps {
  /** A new object shows the message anew. */
  readonly message: {
    readonly text: string
    readonly action: { readonly label: string; readonly onPress: () => void } | null
  }
  readonly onClose: () => void
}

/** A short message at the bottom left that goes by itself. Never for errors. */
export function Toast({ message, onClose }: ToastProps) {
  useEffect(() => {
    const timer = setTimeout(onClose, TOAST_TIME_MS)
    return () => {
      clearTimeout(timer)
    }
  }, [message, onClose])
  return (
    <div role="status" className={styles['toast']}>
      <span>{visibleText(message.text)}</span>
      {message.action !== null && (
        <Button
          onPress={() => {
            message.action?.onPress()
            onClose()
          }}
        >
          {message.action.label}
        </Button>
      )}
      <Button look="quiet" label="Close message" onPress={onClose}>
        <X size={14} aria-hidden />
      </Button>
    </div>
  )
}
