import { ProgressBar, type ProgressBarProps } from 'react-aria-components'
import type { ReactNode } from 'react'
import styles from './meter.module.css'

export interface MeterProps {
  readonly label: string
  readonly done: number
  /** 0 while it is not known. */
  readonly total: number
  /** Beside the bar, in words. */
  readonly children: ReactNode
}

/** How far something is that a person waits for. */
export function Meter({ label, done, total, children }: MeterProps) {
  const extent: ProgressBarProps = total === 0 ? { isIndeterminate: true } : { value: done, maxValue: total }
  const fraction = total === 0 ? 0 : Math.min(1, done / total)
  return (
    <ProgressBar aria-label={label} className={styles['meter'] ?? ''} {...extent}>
      <span>{children}</span>
      <span className={styles['track']}>
        <span className={styles['fill']} style={{ transform: `scaleX(${fraction.toFixed(4)})` }} />
      </span>
    </ProgressBar>
  )
}
