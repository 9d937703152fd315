import { createContext, useContext, useEffect, useRef, type ReactNode, type RefObject } from 'react'
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

/** What every sheet shows below its title: a message that would be behind it otherwise. */
export const SheetNotice = createContext<ReactNode>(null)

/** A modal sheet. Esc closes it, ⌘↵ presses its main button, as ↵ does in a field of one line; focus goes in and comes back. */
export function Sheet({ title, children, isAlert = false, isForm = false, width = 'narrow', onClose }: SheetProps) {
  const dialog = useRef<HTMLElement>(null)
  const notice = useContext(SheetNotice)
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
          {!isAlert && notice}
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
      pressMain(dialog.current)
    }
    // After all that the field itself does with the key.
    const onKeyDownAtLast = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.repeat || !isReturnInLine(event)) return
      if (dialog.current?.contains(event.target as Node) === true) pressMain(dialog.current)
    }
    const abort = new AbortController()
    window.addEventListener('keydown', onKeyDown, { capture: true, signal: abort.signal })
    window.addEventListener('keydown', onKeyDownAtLast, { signal: abort.signal })
    return () => abort.abort()
  }, [dialog, isOn])
}

function pressMain(dialog: HTMLElement): void {
  dialog.querySelector<HTMLElement>('button[data-main]:not(:disabled)')?.click()
}

/** In a form the browser presses it; a filter's Return is its own, and that of an input method ends a word. */
function isReturnInLine({ key, target, isComposing, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean {
  if (key !== 'Enter' || isComposing || ctrlKey || metaKey || altKey || shiftKey) return false
  return target instanceof HTMLInputElement && TYPED_LINES.has(target.type) && target.form === null
}

const TYPED_LINES: ReadonlySet<string> = new Set(['text', 'password', 'url', 'number', 'time'])

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
