import { useRef } from 'react'
import { commandLabel } from '../../shared/ipc/menu-commands.ts'
import type { TransferId } from '../../shared/transfer/transfer.ts'
import { doToRows, isAble, isStopNow, isTicked, ROW_COMMANDS, type RowCommand } from '../commands/row-commands.ts'
import { MenuList, MenuPopover, type MenuEntry } from '../ui/menu.tsx'
import styles from './row-menu.module.css'
import type { OpenMenu } from './use-row-menu.ts'

export interface RowMenuProps {
  readonly menu: OpenMenu
  readonly onClose: () => void
}

/** Everything that can be done with the rows, as the ⋯ menu and the context menu. */
export function RowMenu({ menu, onClose }: RowMenuProps) {
  const anchor = useRef<HTMLSpanElement>(null)
  return (
    <>
      <span ref={anchor} className={styles['anchor']} style={{ left: menu.x, top: menu.y }} />
      <MenuPopover anchor={anchor} placement="bottom start" label="Actions" onClose={onClose}>
        <MenuList
          label="Actions"
          takesFocus
          entries={entriesFor(menu.ids)}
          onAction={(entry) => {
            onClose()
            doToRows(entry as RowCommand, menu.ids)
          }}
        />
      </MenuPopover>
    </>
  )
}

const STARTS_GROUP: ReadonlySet<RowCommand> = new Set(['move-top', 'open', 'start-over'])

function entriesFor(ids: readonly TransferId[]): readonly MenuEntry[] {
  return ROW_COMMANDS.map((command) => ({
    id: command,
    label: command === 'pause' && isStopNow(ids) ? 'Stop now' : commandLabel(command),
    isDisabled: !isAble(command, ids),
    startsGroup: STARTS_GROUP.has(command),
    ...(command === 'open-when-done' ? { isTicked: isTicked(command, ids) } : {}),
  }))
}
