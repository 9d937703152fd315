import { useEffect, useState, type ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { Tooltip as AriaTooltip, TooltipTrigger } from 'react-aria-components'
import styles from './tooltip.module.css'

const DELAY_MS = 600

export interface TooltipProps {
  /** Null: there is nothing to say now. */
  readonly text: string | null
  /** The keys that do the same, as the system writes them. */
  readonly shortcut?: string | undefined
  readonly children: ReactNode
}

/**
 * Says what a button without words does, or more about what one with words does, while the pointer rests on it or the
 * keyboard has focused it. Esc closes the tooltip (WCAG 2.2, 1.4.13) and still does whatever else it means.
 */
export function Tooltip({ text, shortcut, children }: TooltipProps) {
  const [isOpen, setOpen] = useState(false)
  useEscape(isOpen, () => setOpen(false))
  return (
    <TooltipTrigger delay={DELAY_MS} isOpen={isOpen && text !== null} onOpenChange={setOpen}>
      {children}
      <AriaTooltip offset={6} className={styles['tooltip'] ?? ''}>
        {text}
        {shortcut !== undefined && <kbd className={styles['keys']}>{shortcut}</kbd>}
      </AriaTooltip>
    </TooltipTrigger>
  )
}

/**
 * Closes the tooltip before anything else receives the key. While a tooltip is open, React Aria keeps Esc from
 * everything else, so it must already be closed by then.
 */
function useEscape(isOn: boolean, act: () => void): void {
  useEffect(() => {
    if (!isOn) return undefined
    const onKeyDown = ({ key }: KeyboardEvent): void => {
      if (key === 'Escape') flushSync(act)
    }
    window.addEventListener('keydown', onKeyDown, { capture: true })
    return () => window.removeEventListener('keydown', onKeyDown, { capture: true })
  })
}
