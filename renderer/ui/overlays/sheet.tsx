import { useEffect, useRef, type ReactNode, type RefObject } from 'react'
import { Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components'
import { cx } from '../cx.ts'
import { visibleSentence } from './visible-sentence.ts'
import styles from './sheet.module.css'

export interface SheetProps {
  readonly title: string
  readonly children: ReactNode
  /** An alert asks something that must be answered; a click beside it does nothing. */
  readonly isAlert?: boolean
  /** What was entered is not lost by a click beside it. */
  readonly isForm?: boolean
  readonly width?: 'narrow' | 'wide' | 'broad'
  readonly onClose: () => void
}

/** A modal sheet. Esc closes it, ⌘↵ presses its main button; focus goes in and comes back. */
export function Sheet({ title, children, isAlert = false, isForm = false, width = 'narrow', onClose }: SheetProps) {
  const dialog = useRef<HTMLElement>(null)
  // An alert is answered by the button that has focus, and by no other.
  useMainKey(dialog, !isAlert)
  return (
    <ModalOverlay
      isOpen
      isDismissable={!isAlert && !isForm}
      className={styles['overlay'] ?? ''}
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose()
      }}
    >
      <Modal className={cx(styles['sheet'], styles[width])}>
        <Dialog ref={dialog} role={isAlert ? 'alertdialog' : 'dialog'} className={styles['dialog'] ?? ''}>
          <Heading slot="title" className={styles['title'] ?? ''}>
            {visibleSentence(title)}
          </Heading>
          {children}
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}

/** From wherever focus is in the sheet, fields included in which Return alone begins a line. */
function useMainKey(dialog: RefObject<HTMLElement | null>, isOn: boolean): void {
  useEffect(() => {
    if (!isOn) return undefined
    const onKeyDown = (event: KeyboardEvent): void => {
      const isMainKey = event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey
      if (!isMainKey || event.repeat || dialog.current?.contains(event.target as Node) !== true) return
      event.preventDefault()
      event.stopPropagation()
      dialog.current.querySelector<HTMLElement>('button[data-main]:not(:disabled)')?.click()
    }
    window.addEventListener('keydown', onKeyDown, { capture: true })
    return () => window.removeEventListener('keydown', onKeyDown, { capture: true })
  }, [dialog, isOn])
}

export interface SheetButtonsProps {
  readonly children: ReactNode
  /** The first of three stands beside the others, not at the far end. */
  readonly areTogether?: boolean
}

/** The buttons at the end of a sheet; the main one comes last. */
export function SheetButtons({ children, areTogether = false }: SheetButtonsProps) {
  return <div className={cx(styles['buttons'], !areTogether && styles['apart'])}>{children}</div>
}

/** Why the sheet could not do what was asked. */
export function SheetError({ text }: { readonly text: string | null }) {
  return text === null ? null : (
    <p role="alert" className={styles['error']}>
      {visibleSentence(text)}
    </p>
  )
}
