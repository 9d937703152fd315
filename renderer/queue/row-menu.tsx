import { useRef } from 'react'
import { isFinal, type TransferId } from '../../shared/transfer/transfer.ts'
import { copyDetails } from '../actions/copy-details.ts'
import { canMove, moveRows, type Move } from '../actions/move-rows.ts'
import { askToCancel, askToStartOver, removeRows } from '../actions/remove-rows.ts'
import { perform } from '../actions/transfer-actions.ts'
import { request } from '../bridge.ts'
import { appStore, placeById } from '../state/app-store.ts'
import { liveRow } from '../state/queue-store.ts'
import { canDo, canStopNow, type RowAction } from '../state/row-actions.ts'
import { run, showToast } from '../state/ui-store.ts'
import { MenuList, MenuPopover, type MenuEntry } from '../ui/menu.tsx'
import { isFolder } from '../words/row-words.ts'
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
            act(entry, menu.ids)
          }}
        />
      </MenuPopover>
    </>
  )
}

const MOVES: readonly (readonly [Move, string])[] = [
  ['top', 'Move to top'],
  ['up', 'Move up'],
  ['down', 'Move down'],
  ['bottom', 'Move to bottom'],
]

function entriesFor(ids: readonly TransferId[]): readonly MenuEntry[] {
  const entry = (id: RowAction, label: string): MenuEntry => ({ id, label, isDisabled: able(id, ids).length === 0 })
  return [
    entry('pause', isStopNow(ids) ? 'Stop now' : 'Pause'),
    entry('resume', 'Resume'),
    entry('start-now', 'Start now'),
    entry('retry', 'Retry'),
    { id: 'review', label: 'Review earlier upload…', isDisabled: able('review', ids).length !== 1 },
    { id: 'relink', label: 'Paste new link…', isDisabled: able('relink', ids).length !== 1 },
    { id: 'edit-place', label: 'Edit place…', isDisabled: !haveOnePlace(ids) },
    entry('limit', 'Limit…'),
    ...MOVES.map(([move, label], index) => ({
      id: `move-${move}`,
      label,
      isDisabled: !canMove(able('move', ids), move),
      startsGroup: index === 0,
    })),
    { ...entry('open', 'Open'), startsGroup: true },
    entry('reveal', 'Show in folder'),
    { id: 'copy-link', label: 'Copy link…', isDisabled: able('copy-link', ids).length !== 1 },
    { id: 'show-in-place', label: 'Show in place', isDisabled: able('show-in-place', ids).length !== 1 },
    { id: 'copy', label: 'Copy details' },
    { id: 'save-parts', label: 'Save parts list…', isDisabled: ids.length !== 1 || !ids.every(hasParts) },
    { ...entry('start-over', 'Start over…'), startsGroup: true },
    entry('let-go', 'Remove, keep the parts'),
    entry('cancel', 'Discard…'),
    entry('remove', 'Remove from list'),
  ]
}

function act(entry: string, ids: readonly TransferId[]): void {
  switch (entry) {
    case 'copy':
      return copyDetails(ids)
    case 'save-parts':
      return run(saveParts(ids[0] ?? ''))
    case 'start-over':
      return askToStartOver(able(entry, ids))
    case 'cancel':
      return askToCancel(able(entry, ids))
    case 'remove':
      return removeRows(able(entry, ids))
    case 'move-top':
    case 'move-up':
    case 'move-down':
    case 'move-bottom':
      return moveRows(able('move', ids), entry.slice('move-'.length) as Move)
    case 'pause':
    case 'start-now':
    case 'let-go':
    case 'resume':
    case 'retry':
    case 'review':
    case 'relink':
    case 'edit-place':
    case 'limit':
    case 'reveal':
    case 'open':
    case 'copy-link':
    case 'show-in-place':
      return perform(entry, able(entry, ids))
  }
}

function able(action: RowAction, ids: readonly TransferId[]): readonly TransferId[] {
  return ids.filter((id) => {
    const row = liveRow(id)
    return row !== undefined && canDo(action, row)
  })
}

/** Whether a pause would only stop what is let end by an earlier one. */
function isStopNow(ids: readonly TransferId[]): boolean {
  const rows = able('pause', ids).map(liveRow)
  return rows.length > 0 && rows.every((row) => row !== undefined && canStopNow(row))
}

/** Whether there is one place to edit, and it can be. */
function haveOnePlace(ids: readonly TransferId[]): boolean {
  const [placeId, ...others] = new Set(able('edit-place', ids).map((id) => liveRow(id)?.placeId))
  const place = others.length === 0 ? placeById(appStore.getState(), placeId ?? null) : null
  return place !== null && !place.isDemo
}

/** Whether it is an upload that may have parts on the server. */
function hasParts(id: TransferId): boolean {
  const row = liveRow(id)
  return row?.direction === 'upload' && !isFolder(row) && !isFinal(row.status) && row.unitsTotal > 1
}

async function saveParts(id: TransferId): Promise<void> {
  if (await request('transfers:save-parts', { id })) showToast(`The parts list of ${liveRow(id)?.name ?? ''} is saved.`)
}
