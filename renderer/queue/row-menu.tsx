import { useMemo } from 'react'
import { commandKeys } from '../../shared/ipc/menu-commands.ts'
import { t } from '../../shared/language/translate.ts'
import type { TransferId } from '../../shared/transfer/transfer.ts'
import {
  doToRows,
  isAble,
  isTicked,
  mainActionOn,
  nameOnRows,
  performMain,
  ROW_COMMANDS,
  type RowCommand,
} from '../commands/row-commands.ts'
import type { PrimaryAction } from '../state/queue/row-actions.ts'
import type { MenuEntry } from '../ui/overlays/menu.tsx'
import { PointMenu } from '../ui/overlays/point-menu.tsx'
import type { OpenMenu } from './use-row-menu.ts'

export interface RowMenuProps {
  readonly menu: OpenMenu
  readonly onClose: () => void
}

/**
 * The ⋯ menu and context menu of rows: first what their buttons do, then the other commands that apply to them; the
 * menu bar also lists the rest. Its content doesn't change while it is open, so that nothing moves under the pointer.
 */
export function RowMenu({ menu, onClose }: RowMenuProps) {
  const main = useMemo(() => mainActionOn(menu.ids), [menu])
  const entries = useMemo(() => entriesFor(menu.ids, main), [menu, main])
  return (
    <PointMenu
      at={menu}
      label={t('queue.actions')}
      entries={entries}
      onClose={onClose}
      onAction={(entry) => {
        if (entry === MAIN && main !== null) performMain(main, menu.ids)
        else doToRows(entry as RowCommand, menu.ids)
      }}
    />
  )
}

const MAIN = 'main'

const STARTS_GROUP: ReadonlySet<RowCommand> = new Set(['move-top', 'preview', 'start-over'])

function entriesFor(ids: readonly TransferId[], main: PrimaryAction | null): readonly MenuEntry[] {
  const entries: MenuEntry[] = main === null ? [] : [{ id: MAIN, label: main.label, keys: mainKeys(main) }]
  let startsGroup = false
  for (const command of ROW_COMMANDS) {
    startsGroup ||= STARTS_GROUP.has(command)
    if (command === main?.action || !isAble(command, ids)) continue
    const keys = commandKeys(command)
    entries.push({
      id: command,
      label: nameOnRows(command, ids),
      // Of commands that share a key, it does the first.
      keys: entries.some((entry) => entry.keys?.[0] === keys[0]) ? [] : keys,
      startsGroup: startsGroup && entries.length > 0,
      ...(command === 'open-when-done' ? { isTicked: isTicked(command, ids) } : {}),
    })
    startsGroup = false
  }
  return entries
}

/** The keys of what the buttons of these rows do; Return does that, too. */
function mainKeys({ action }: PrimaryAction): readonly string[] {
  const command = ROW_COMMANDS.find((each) => each === action)
  const keys = command === undefined ? [] : commandKeys(command)
  return keys.length > 0 ? keys : ['Enter']
}
