import type { ReactNode } from 'react'
import { useDrawerFocus } from './hooks/use-drawer-focus.ts'
import styles from './panel.module.css'

export interface PanelProps {
  readonly label: string
  /** Whether it lies over the list, in a narrow window. */
  readonly isDrawn: boolean
  readonly children: ReactNode
}

/** The panel with facts about a selection, beside the list or over it. */
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
  /** Shown below the title. */
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

/** What stays at the bottom of a panel, whatever comes and goes above it. */
export function PanelFoot({ children }: { readonly children: ReactNode }) {
  return <footer className={styles['foot']}>{children}</footer>
}

export interface SectionProps {
  readonly title: string
  /** Shown at the right of the title. */
  readonly detail?: string
  readonly children: ReactNode
}

export function Section({ title, detail = '', children }: SectionProps) {
  return (
    <section className={styles['section']}>
      {/* The capitals are only a style, so the accessible name has none. */}
      <h3 aria-label={detail === '' ? title : `${title} ${detail}`} className={styles['title']}>
        {title} <span className={styles['detail']}>{detail}</span>
      </h3>
      {children}
    </section>
  )
}
