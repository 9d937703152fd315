import { createContext, useContext, useEffect, useRef, type ReactNode, type RefObject } from 'react'
import { Dialog, Form, Heading, Modal, ModalOverlay } from 'react-aria-components'
import { cx } from '../cx.ts'
import { keysOf } from '../shortcut.ts'
import { visibleSentence } from './visible-sentence.ts'
import styles from './sheet.module.css'

export interface SheetProps {
  readonly title: string
  readonly children: ReactNode
  /** An alert asks a question that must be answered, so a click beside it does nothing. */
  readonly isAlert?: boolean
  /** A click beside a form does nothing, so that entered text isn't lost. */
  readonly isForm?: boolean
  readonly width?: 'narrow' | 'wide' | 'broad'
  readonly onClose: () => void
}

/** A message that every sheet shows below its title, because it would be hidden behind the sheet otherwise. */
export const SheetNotice = createContext<ReactNode>(null)

/** A modal sheet. Esc closes it; ⌘↵, or ↵ in a one-line field, presses its main button. Focus enters and returns. */
export function Sheet({ title, children, isAlert = false, isForm = false, width = 'narrow', onClose }: SheetProps) {
  const dialog = useRef<HTMLElement>(null)
  const notice = useContext(SheetNotice)
  // In an alert, only the focused button answers.
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

/** Handles the key of the main button anywhere in the sheet, even in fields in which Return begins a new line. */
function useMainKey(dialog: RefObject<HTMLElement | null>, isOn: boolean): void {
  useEffect(() => {
    if (!isOn) return undefined
    const onKeyDown = (event: KeyboardEvent): void => {
      const isMainKey = keysOf(event) === 'Mod+Enter'
      if (!isMainKey || event.repeat || dialog.current?.contains(event.target as Node) !== true) return
      event.preventDefault()
      event.stopPropagation()
      pressMain(dialog.current)
    }
    // Runs after everything that the field itself does with the key.
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

/** Whether Return in this field presses the main button. Not in a form, a search field or while composing a word. */
function isReturnInLine({ key, target, isComposing, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean {
  if (key !== 'Enter' || isComposing || ctrlKey || metaKey || altKey || shiftKey) return false
  return target instanceof HTMLInputElement && TYPED_LINES.has(target.type) && target.form === null
}

const TYPED_LINES: ReadonlySet<string> = new Set(['text', 'password', 'url', 'number', 'time'])

export interface SheetFormProps {
  readonly children: ReactNode
  /** Called on Return in a field, and by the button that submits. */
  readonly onSubmit: () => void
}

/** The form of a sheet: its fields below each other, then its buttons. */
export function SheetForm({ children, onSubmit }: SheetFormProps) {
  return (
    <Form
      className={styles['form'] ?? ''}
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      {children}
    </Form>
  )
}

export interface SheetButtonsProps {
  readonly children: ReactNode
  /** Puts the first of three buttons beside the others instead of at the far end. */
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
