import type { ReactNode } from 'react'
import { ChevronRight } from 'lucide-react'
import { Button, Disclosure as AriaDisclosure, DisclosurePanel, Heading } from 'react-aria-components'
import styles from './disclosure.module.css'

/** Content that few people need, collapsed until it is opened. */
export function Disclosure({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <AriaDisclosure className={styles['disclosure'] ?? ''}>
      <Heading className={styles['heading'] ?? ''}>
        <Button slot="trigger" className={styles['trigger'] ?? ''}>
          <ChevronRight size={14} aria-hidden className={styles['glyph']} />
          {title}
        </Button>
      </Heading>
      <DisclosurePanel>
        <div className={styles['panel']}>{children}</div>
      </DisclosurePanel>
    </AriaDisclosure>
  )
}
