import { commandLabel } from '../../shared/ipc/menu-commands.ts'
import { t } from '../../shared/language/translate.ts'
import type { TransferId } from '../../shared/transfer/transfer.ts'
import { doToRows, isAble, isStopNow, isTicked, ROW_COMMANDS, type RowCommand } from '../commands/row-commands.ts'
import type { MenuEntry } from '../ui/overlays/menu.tsx'
import { PointMenu } from '../ui/overlays/point-menu.tsx'
import type { OpenMenu } from './use-row-menu.ts'

export interface RowMenuProps {
  readonly menu: OpenMenu
  readonly onClose: () => void
}

/** Everything that can be done with the rows, as the ⋯ menu and the context menu. */
export function RowMenu({ menu, onClose }: RowMenuProps) {
  return (
    <PointMenu
      at={menu}
      label={t('queue.actions')}
      takesFocus
      entries={entriesFor(menu.ids)}
      onClose={onClose}
      onAction={(entry) => doToRows(entry as RowCommand, menu.ids)}
    />
  )
}

const STARTS_GROUP: ReadonlySet<RowCommand> = new Set(['move-top', 'preview', 'start-over'])

function entriesFor(ids: readonly TransferId[]): readonly MenuEntry[] {
  return ROW_COMMANDS.map((command) => ({
    id: command,
    label: command === 'pause' && isStopNow(ids) ? t('queue.row.stop-now') : commandLabel(command),
    isDisabled: !isAble(command, ids),
    startsGroup: STARTS_GROUP.has(command),
    ...(command === 'open-when-done' ? { isTicked: isTicked(command, ids) } : {}),
  }))
}
