import type { ReactNode } from 'react'
import { useDrawerFocus } from './hooks/use-drawer-focus.ts'
import styles from './panel.module.css'

export interface PanelProps {
  readonly label: string
  /** It lies over what it is beside, where the window is narrow. */
  readonly isDrawn: boolean
  readonly children: ReactNode
}

/** What is told of a selection, beside the list or over it. */
export function Panel({ label, isDrawn, children }: PanelProps) {
  const element = useDrawerFocus<HTMLElement>(isDrawn)
  return (
    <aside
      ref={element}
      aria-label={label}
      {...(isDrawn ? { tabIndex: -1 } : {})}
      data-pane
      data-drawer={isDrawn}
      className={styles['panel']}
    >
      {children}
    </aside>
  )
}

export interface PanelHeadProps {
  readonly title: string
  /** Below the title. */
  readonly children?: ReactNode
}

export function PanelHead({ title, children }: PanelHeadProps) {
  return (
    <header>
      <h2 className={styles['name']}>
        <bdi>{title}</bdi>
      </h2>
      {children !== undefined && <p className={styles['address']}>{children}</p>}
    </header>
  )
}

export interface SectionProps {
  readonly title: string
  /** At the right of the title. */
  readonly detail?: string
  readonly children: ReactNode
}

export function Section({ title, detail = '', children }: SectionProps) {
  return (
    <section className={styles['section']}>
      {/* Its capitals are a matter of looks. */}
      <h3 aria-label={detail === '' ? title : `${title} ${detail}`} className={styles['title']}>
        {title} <span className={styles['detail']}>{detail}</span>
      </h3>
      {children}
    </section>
  )
}
