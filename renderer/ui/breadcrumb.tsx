import { ChevronRight } from 'lucide-react'
import { Button } from './button.tsx'
import { t } from '../../shared/language/translate.ts'
import styles from './breadcrumb.module.css'
import { cx } from './cx.ts'

interface Step<At> {
  readonly label: string
  readonly at: At
  /** What is dropped on the step goes to this target; left out: nothing can be. */
  readonly dropKey?: string
  /** Whether what is dragged is over it. */
  readonly isTarget?: boolean
}

export interface BreadcrumbProps<At> {
  /** From the top down; the last one is open. */
  readonly steps: readonly Step<At>[]
  readonly onOpen: (at: At) => void
}

/** The path to the open folder. */
export function Breadcrumb<At>({ steps, onOpen }: BreadcrumbProps<At>) {
  return (
    <nav aria-label={t('window.folder')} className={styles['path']}>
      {steps.map(({ label, at, dropKey, isTarget = false }, index) => (
        <span
          key={`${String(index)} ${label}`}
          title={label}
          className={styles['step']}
          {...(dropKey === undefined ? {} : { 'data-drop': dropKey })}
        >
          {index > 0 && <ChevronRight size={12} aria-hidden />}
          <Button
            look="quiet"
            isDisabled={index === steps.length - 1}
            className={cx(styles['crumb'], isTarget && styles['target'])}
            onPress={() => {
              onOpen(at)
            }}
          >
            {label}
          </Button>
        </span>
      ))}
    </nav>
  )
}
