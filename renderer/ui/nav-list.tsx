import { useId, type ReactNode } from 'react'
import { Button as AriaButton } from 'react-aria-components'
import { cx } from './cx.ts'
import styles from './nav-list.module.css'

/** A titled list in the sidebar. */
export function NavSection({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id} className={styles['section']}>
      <h2 id={id} className={styles['title']}>
        {title}
      </h2>
      <ul>{children}</ul>
    </section>
  )
}

export interface NavButtonProps {
  readonly label: string
  readonly isCurrent: boolean
  /** Shown at the right. */
  readonly detail?: string
  /** A detail that asks for a person. */
  readonly isUrgent?: boolean
  /** Before the label. */
  readonly icon?: ReactNode
  /** After the button, not part of it. */
  readonly accessory?: ReactNode
  readonly onPress: () => void
}

/** One entry of such a list. */
export function NavButton(props: NavButtonProps) {
  const { label, isCurrent, detail = '', isUrgent = false, icon, accessory, onPress } = props
  return (
    <li className={cx(styles['entry'], isCurrent && styles['current'])}>
      <AriaButton className={styles['button'] ?? ''} aria-current={isCurrent} onPress={onPress}>
        {icon}
        <span className={styles['label']}>{label}</span>
        {detail !== '' && <span className={cx(styles['detail'], isUrgent && styles['urgent'])}>{detail}</span>}
      </AriaButton>
      {accessory}
    </li>
  )
}
