import type { ComponentProps, ReactNode, RefObject } from 'react'
import { Menu, MenuItem, MenuSection, Popover, Separator } from 'react-aria-components'
import { cx } from '../cx.ts'
import { ariaKeys, ownKeys, shortcutText } from '../shortcut.ts'
import styles from './menu.module.css'

export interface MenuEntry {
  readonly id: string
  readonly label: string
  readonly isDisabled?: boolean
  /** Draws a line above. */
  readonly startsGroup?: boolean
  /** Alternative keys that do the same, such as `Mod+I`; the first is shown. */
  readonly keys?: readonly string[]
  /** For entries that are on or off: a tick is shown while on. */
  readonly isTicked?: boolean
}

export interface MenuListProps {
  readonly label: string
  readonly entries: readonly MenuEntry[]
  /** The entry with a tick; makes the menu one of choices. */
  readonly checked?: string
  /** Takes focus when it opens without a MenuTrigger. */
  readonly takesFocus?: boolean
  readonly onAction: (id: string) => void
}

/** The entries of a menu. */
export function MenuList({ label, entries, checked, takesFocus = false, onAction }: MenuListProps) {
  return (
    <Menu
      aria-label={label}
      className={styles['menu'] ?? ''}
      {...(takesFocus ? { autoFocus: 'first' as const } : {})}
      disabledKeys={entries.filter((entry) => entry.isDisabled).map((entry) => entry.id)}
      onAction={(key) => {
        onAction(String(key))
      }}
      {...(checked === undefined ? {} : { selectionMode: 'single' as const, selectedKeys: [checked] })}
    >
      {entries.flatMap((entry) => [
        ...(entry.startsGroup ? [<Separator key={`${entry.id}-line`} className={styles['line'] ?? ''} />] : []),
        entry.isTicked === undefined ? (
          <Item key={entry.id} entry={entry} />
        ) : (
          <TickedItem key={entry.id} entry={entry} />
        ),
      ])}
    </Menu>
  )
}

function Item({ entry }: { readonly entry: MenuEntry }) {
  const { id, label, keys = [], isTicked } = entry
  const className = cx(styles['item'], isTicked === undefined && styles['choice'])
  const [shown] = ownKeys(keys)
  if (shown === undefined)
    return (
      <MenuItem id={id} textValue={label} className={className}>
        {label}
      </MenuItem>
    )
  return (
    <MenuItem
      id={id}
      textValue={label}
      className={className}
      // The component itself leaves this attribute out. Without a link, its element is this one.
      render={(props) => <div {...(props as ComponentProps<'div'>)} aria-keyshortcuts={ariaKeys(keys)} />}
    >
      {label}
      <kbd className={styles['keys']} aria-hidden>
        {shortcutText(shown)}
      </kbd>
    </MenuItem>
  )
}

function TickedItem({ entry }: { readonly entry: MenuEntry }) {
  return (
    <MenuSection
      aria-label={entry.label}
      selectionMode="multiple"
      selectedKeys={entry.isTicked === true ? [entry.id] : []}
    >
      <Item entry={entry} />
    </MenuSection>
  )
}

export interface MenuPopoverProps {
  readonly children: ReactNode
  /** Needed if the popover isn't inside a MenuTrigger. */
  readonly anchor?: RefObject<Element | null>
  readonly placement?: 'bottom start' | 'bottom end' | 'top end' | 'end top'
  readonly onClose?: () => void
  /** Needed if the popover isn't inside a MenuTrigger, which would name it. */
  readonly label?: string
}

/** The floating panel around a menu. */
export function MenuPopover({ children, anchor, placement = 'bottom end', onClose, label }: MenuPopoverProps) {
  return (
    <Popover
      className={styles['popover'] ?? ''}
      placement={placement}
      offset={4}
      {...(label === undefined ? {} : { 'aria-label': label })}
      {...(anchor === undefined ? {} : { triggerRef: anchor, isOpen: true })}
      {...(onClose === undefined
        ? {}
        : {
            onOpenChange: (isOpen: boolean) => {
              if (!isOpen) onClose()
            },
          })}
    >
      {children}
    </Popover>
  )
}
