import { ProgressBar, type ProgressBarProps } from 'react-aria-components'
import type { ReactNode } from 'react'
import styles from './meter.module.css'

export interface MeterProps {
  readonly label: string
  readonly done: number
  /** 0 while unknown. */
  readonly total: number
  /** Words beside the bar. */
  readonly children: ReactNode
}

/** The progress of something that a person waits for. */
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
