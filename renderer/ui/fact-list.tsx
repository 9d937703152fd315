import { Copy } from 'lucide-react'
import { Button } from './button.tsx'
import { cx } from './cx.ts'
import styles from './fact-list.module.css'
import { midSentence, t } from '../../shared/language/translate.ts'

export interface Fact {
  readonly label: string
  readonly value: string
  /** The full text, shown on hover. */
  readonly title?: string
  readonly isCode?: boolean
  /** Wraps over several lines instead of being cut off. */
  readonly isLong?: boolean
  /** Adds a copy button, for values that a person may have to quote. */
  readonly onCopy?: () => void
}

/** A list of names and values, one per line. */
export function FactList({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <dl className={styles['facts']}>
      {facts.map(({ label, value, title, isCode = false, isLong = false, onCopy }) => (
        <div key={label} className={styles['fact']}>
          <dt>{label}</dt>
          {onCopy === undefined ? (
            <dd className={cx(isCode && styles['code'], isLong && styles['long'])} title={title ?? value}>
              <bdi>{value}</bdi>
            </dd>
          ) : (
            <dd className={styles['copied']}>
              <span
                className={cx(styles['text'], isCode && styles['code'], isLong && styles['long'])}
                {...(isLong ? {} : { title: title ?? value })}
              >
                <bdi>{value}</bdi>
              </span>
              <Button
                look="quiet"
                className={styles['copy']}
                label={t('window.copy-fact', { label: midSentence(label) })}
                onPress={onCopy}
              >
                <Copy size={12} aria-hidden />
              </Button>
            </dd>
          )}
        </div>
      ))}
    </dl>
  )
}
