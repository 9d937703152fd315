import type { ReactNode } from 'react'
import { Tooltip as AriaTooltip, TooltipTrigger } from 'react-aria-components'
import styles from './tooltip.module.css'

const DELAY_MS = 600

export interface TooltipProps {
  readonly text: string
  /** The keys that do the same, as the system writes them. */
  readonly shortcut?: string | undefined
  readonly children: ReactNode
}

/** What a button without words does, while the pointer rests on it or focus came to it by the keyboard. */
export function Tooltip({ text, shortcut, children }: TooltipProps) {
  return (
    <TooltipTrigger delay={DELAY_MS}>
      {children}
      <AriaTooltip offset={6} className={styles['tooltip'] ?? ''}>
        {text}
        {shortcut !== undefined && <kbd className={styles['keys']}>{shortcut}</kbd>}
      </AriaTooltip>
    </TooltipTrigger>
  )
}
