import { useRef } from 'react'
import { MenuList, MenuPopover, type MenuListProps } from './menu.tsx'
import styles from './point-menu.module.css'

export interface PointMenuProps extends Pick<MenuListProps, 'label' | 'entries' | 'onAction'> {
  /** The position in the window, pixels. */
  readonly at: { readonly x: number; readonly y: number }
  readonly onClose: () => void
}

/** An open menu at a point, as for a right click. An action closes it. */
export function PointMenu({ at, label, onClose, onAction, ...list }: PointMenuProps) {
  const anchor = useRef<HTMLSpanElement>(null)
  return (
    <>
      <span ref={anchor} className={styles['anchor']} style={{ left: at.x, top: at.y }} />
      {/* Beside the point, the menu can extend upwards as needed; below it, it would have only the room left there. */}
      <MenuPopover anchor={anchor} placement="end top" label={label} onClose={onClose}>
        <MenuList
          {...list}
          takesFocus
          label={label}
          onAction={(id) => {
            onClose()
            onAction(id)
          }}
        />
      </MenuPopover>
    </>
  )
}
