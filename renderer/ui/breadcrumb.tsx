import { ChevronRight } from 'lucide-react'
import { Button } from './button.tsx'
import styles from './breadcrumb.module.css'
import { t } from '../../shared/language/translate.ts'

export interface BreadcrumbProps<At> {
  /** From the top down; the last one is open. */
  readonly steps: readonly { readonly label: string; readonly at: At }[]
  readonly onOpen: (at: At) => void
}

/** The path to the open folder. */
export function Breadcrumb<At>({ steps, onOpen }: BreadcrumbProps<At>) {
  return (
    <nav aria-label={t('window.folder')} className={styles['path']}>
      {steps.map(({ label, at }, index) => (
        <span key={`${String(index)} ${label}`} title={label} className={styles['step']}>
          {index > 0 && <ChevronRight size={12} aria-hidden />}
          <Button
            look="quiet"
            isDisabled={index === steps.length - 1}
            className={styles['crumb']}
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
