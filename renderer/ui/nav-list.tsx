import { useId, type DragEvent, type HTMLAttributes, type MouseEvent, type ReactNode } from 'react'
import { Button as AriaButton, type ButtonProps } from 'react-aria-components'
import { cx } from './cx.ts'
import styles from './nav-list.module.css'

export interface NavSectionProps {
  readonly title: string
  /** Shown beside the title. If it has a menu button, a right click on the title presses that. */
  readonly accessory?: ReactNode
  /** Shown between the title and the list. */
  readonly filter?: ReactNode
  readonly children: ReactNode
}

/** A titled list in the sidebar. */
export function NavSection({ title, accessory, filter, children }: NavSectionProps) {
  const id = useId()
  return (
    <section aria-labelledby={id} className={styles['section']}>
      <div role="presentation" className={styles['head']} onContextMenu={openMenu}>
        {/* The capitals are only a style, so the accessible name has none. */}
        <h2 id={id} aria-label={title} className={styles['title']}>
          {title}
        </h2>
        {accessory}
      </div>
      {filter !== undefined && filter !== false && <div className={styles['filter']}>{filter}</div>}
      <ul>{children}</ul>
    </section>
  )
}

export interface NavButtonProps {
  readonly label: string
  readonly isCurrent: boolean
  /** Shown at the right. */
  readonly detail?: string
  /** What the icons mean, for tooltips and screen readers. */
  readonly description?: string
  /** Whether the detail needs attention. */
  readonly isUrgent?: boolean
  /** Shown before the label. */
  readonly icon?: ReactNode
  /** Shown after the button, not part of it. */
  readonly accessory?: ReactNode
  /** Lets the entry be dragged onto others of its list. */
  readonly drag?: NavDrag
  /** Marks the entry as a target for dropped files (`data-place`). */
  readonly dropId?: string
  readonly isDropTarget?: boolean
  readonly onKeyDown?: NonNullable<ButtonProps['onKeyDown']>
  readonly onPress: () => void
}

/** An entry's part in reordering a list by dragging. */
export interface NavDrag {
  readonly isTarget: boolean
  readonly onStart: () => void
  /** Returns whether the dragged entry may be dropped here. */
  readonly onOver: () => boolean
  readonly onDrop: () => void
  readonly onEnd: () => void
}

/** One entry of a list in the sidebar. */
export function NavButton(props: NavButtonProps) {
  const id = useId()
  const {
    label,
    isCurrent,
    detail = '',
    description = '',
    isUrgent = false,
    icon,
    accessory,
    drag,
    dropId,
    onKeyDown,
    onPress,
  } = props
  return (
    <li
      className={cx(
        styles['entry'],
        isCurrent && styles['current'],
        drag?.isTarget === true && styles['target'],
        props.isDropTarget === true && styles['dropTarget'],
      )}
      {...(dropId === undefined ? {} : { 'data-place': dropId })}
      {...dragProps(drag)}
    >
      <AriaButton
        className={styles['button'] ?? ''}
        aria-current={isCurrent}
        {...(description === '' ? {} : { 'aria-describedby': id })}
        onPress={onPress}
        onContextMenu={openMenu}
        {...(onKeyDown === undefined ? {} : { onKeyDown })}
      >
        <span className={styles['named']} {...(description === '' ? {} : { title: description })}>
          {icon}
          <span className={styles['label']}>
            <bdi>{label}</bdi>
          </span>
        </span>
        {detail !== '' && <span className={cx(styles['detail'], isUrgent && styles['urgent'])}>{detail}</span>}
      </AriaButton>
      {description !== '' && (
        <span id={id} hidden>
          {description}
        </span>
      )}
      {accessory}
    </li>
  )
}

function dragProps(drag: NavDrag | undefined): HTMLAttributes<HTMLElement> {
  if (drag === undefined) return {}
  function take(event: DragEvent): void {
    if (drag?.onOver() === true) event.preventDefault()
  }
  return {
    draggable: true,
    onDragStart: ({ dataTransfer }) => {
      dataTransfer.effectAllowed = 'move'
      drag.onStart()
    },
    onDragEnter: take,
    onDragOver: take,
    onDrop: drag.onDrop,
    onDragEnd: drag.onEnd,
  }
}

/** On a right click, opens the menu for which the entry, or the head of the list, has a button. */
function openMenu(event: MouseEvent<HTMLElement>): void {
  const whole = event.currentTarget.closest('li') ?? event.currentTarget
  const button = whole.querySelector<HTMLElement>('[aria-haspopup]')
  if (button == null) return
  event.preventDefault()
  button.click()
}
