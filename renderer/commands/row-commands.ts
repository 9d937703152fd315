// The commands on transfers in the list, shared by the menu bar, the context menu and the keys.

import { commandLabel, type NamedCommand } from '../../shared/ipc/menu-commands.ts'
import { t } from '../../shared/language/translate.ts'
import { isFinal, type TransferId } from '../../shared/transfer/transfer.ts'
import { copyDetails } from '../actions/copy-details.ts'
import { canMove, moveRows, type Move } from '../actions/move-rows.ts'
import { asksToCancel, asksToRemove, askToCancel, askToStartOver, directionOf } from '../actions/rows/remove-rows.ts'
import { perform } from '../actions/transfer-actions.ts'
import { request } from '../bridge.ts'
import { appStore, placeById } from '../state/app-store.ts'
import { areOpenedWhenDone, openWhenDone } from '../state/plans-store.ts'
import { liveRow, liveRows } from '../state/queue/queue-store.ts'
import { canDo, primaryAction, type PrimaryAction, type RowAction } from '../state/queue/row-actions.ts'
import { run, showToast } from '../state/ui/messages.ts'
import { actionContext, isFolder } from '../words/row-words.ts'

/** The commands, in the order of the context menu. */
export const ROW_COMMANDS = [
  'pause',
  'resume',
  'start-now',
  'retry',
  'review',
  'relink',
  'edit-place',
  'limit',
  'open-when-done',
  'move-top',
  'move-up',
  'move-down',
  'move-bottom',
  'preview',
  'open',
  'reveal',
  'copy-link',
  'show-in-place',
  'copy-details',
  'save-parts',
  'start-over',
  'cancel',
  'remove',
] as const satisfies readonly NamedCommand[]

export type RowCommand = (typeof ROW_COMMANDS)[number]

const MOVES = {
  'move-top': 'top',
  'move-up': 'up',
  'move-down': 'down',
  'move-bottom': 'bottom',
} as const satisfies Partial<Record<RowCommand, Move>>

export function isRowCommand(command: NamedCommand): command is RowCommand {
  return (ROW_COMMANDS as readonly NamedCommand[]).includes(command)
}

/** Whether a command applies to any of these rows. */
export function isAble(command: RowCommand, ids: readonly TransferId[]): boolean {
  switch (command) {
    case 'copy-details':
      return ids.some((id) => liveRow(id) !== undefined)
    case 'open-when-done':
      return openable(ids).length > 0
    case 'save-parts':
      return ids.length === 1 && ids.every(hasParts)
    case 'edit-place':
      return haveOnePlace(ids)
    // These act on a single transfer; with several it would be unclear which.
    case 'review':
    case 'relink':
    case 'copy-link':
    case 'show-in-place':
      return able(command, ids).length === 1
    case 'move-top':
    case 'move-up':
    case 'move-down':
    case 'move-bottom':
      return canMove(able('move', ids), MOVES[command])
    default:
      return able(command, ids).length > 0
  }
}

/** Carries out the command on those of the rows to which it applies. */
export function doToRows(command: RowCommand, ids: readonly TransferId[]): void {
  if (!isAble(command, ids)) return
  switch (command) {
    case 'copy-details':
      return copyDetails(ids)
    case 'open-when-done':
      return openWhenDone(openable(ids), !isTicked(command, ids))
    case 'save-parts':
      return run(saveParts(ids[0] ?? ''))
    case 'start-over':
      return askToStartOver(able(command, ids))
    case 'cancel':
      return askToCancel(able(command, ids))
    case 'move-top':
    case 'move-up':
    case 'move-down':
    case 'move-bottom':
      return moveRows(able('move', ids), MOVES[command])
    default:
      return perform(command, able(command, ids))
  }
}

/** Whether a command that toggles something is on for these rows. */
export function isTicked(command: RowCommand, ids: readonly TransferId[]): boolean {
  return command === 'open-when-done' && areOpenedWhenDone(openable(ids))
}

/** The unfinished downloads of single files among the rows. */
function openable(ids: readonly TransferId[]): readonly TransferId[] {
  return ids.filter((id) => {
    const row = liveRow(id)
    return row?.direction === 'download' && !isFolder(row) && !isFinal(row.status)
  })
}

/** What these do depends on the state of a row, and so do the words on its button. */
const NAMED_BY_BUTTONS = ['pause', 'retry', 'start-over'] as const

/** The name of a command in the menu of these rows: the one that it has on their buttons, if that is the same on all. */
export function nameOnRows(command: RowCommand, ids: readonly TransferId[]): string {
  const name = nameFor(command, ids)
  const action = NAMED_BY_BUTTONS.find((each) => each === command)
  if (action === undefined) return name
  const [first, ...others] = able(action, ids).map((id) => {
    const main = mainActionOf(id)
    return main?.action === action ? main.label : name
  })
  return first === undefined || others.some((other) => other !== first) ? name : first
}

/** The name of a command; for these rows it may say more than the menu bar can. */
function nameFor(command: RowCommand, ids: readonly TransferId[]): string {
  if (command === 'remove' && asksToRemove(able('remove', ids))) return t('commands.name.remove-asking')
  if (command !== 'cancel') return commandLabel(command)
  const rows = liveRows(able('cancel', ids))
  const asks = asksToCancel(rows.map(({ id }) => id)) ? 'yes' : 'no'
  return t(`commands.name.cancel-${directionOf(rows)}`, { count: rows.length, asks })
}

/** What the button of a row does now; null: it has none. */
export function mainActionOf(id: TransferId): PrimaryAction | null {
  const row = liveRow(id)
  return row === undefined ? null : primaryAction(row, actionContext(row, placeById(appStore.getState(), row.placeId)))
}

/** What the button of every one of these rows does, under its name; null: they have none, or not the same. */
export function mainActionOn(ids: readonly TransferId[]): PrimaryAction | null {
  const [first, ...others] = ids
  const main = first === undefined ? null : mainActionOf(first)
  if (main === null || !main.enabled) return null
  if (!worksOn(main.action, ids)) return null
  return others.every((id) => alikeOf(main, id)?.label === main.label) ? main : null
}

/**
 * Presses the button of a row, and of the other rows whose button does the same. What opens a question or form about a
 * single transfer is only done to the row.
 */
export function pressMain(id: TransferId, others: readonly TransferId[] = []): void {
  const main = mainActionOf(id)
  if (main === null || !main.enabled) return
  const alike = others.filter((other) => alikeOf(main, other) !== null)
  perform(main.action, worksOn(main.action, alike) ? alike : [id])
}

/** The button of a row, if it can be pressed and does the same as another one; else null. */
function alikeOf({ action }: PrimaryAction, id: TransferId): PrimaryAction | null {
  const other = mainActionOf(id)
  return other?.action === action && other.enabled ? other : null
}

function worksOn(action: RowAction, ids: readonly TransferId[]): boolean {
  const command = ROW_COMMANDS.find((each) => each === action)
  // The others open one question or form, about a single transfer.
  return command === undefined ? ids.length === 1 : isAble(command, ids)
}

/** Does what the buttons of these rows do, on those of them to which it still applies. */
export function performMain({ action }: PrimaryAction, ids: readonly TransferId[]): void {
  perform(action, able(action, ids))
}

function able(action: RowAction, ids: readonly TransferId[]): readonly TransferId[] {
  return ids.filter((id) => {
    const row = liveRow(id)
    return row !== undefined && canDo(action, row)
  })
}

/** Whether the rows share one place that can be edited. */
function haveOnePlace(ids: readonly TransferId[]): boolean {
  const [placeId, ...others] = new Set(able('edit-place', ids).map((id) => liveRow(id)?.placeId))
  const place = others.length === 0 ? placeById(appStore.getState(), placeId ?? null) : null
  return place !== null && !place.isDemo
}

/** Whether the row is an upload that may have parts on the server. */
function hasParts(id: TransferId): boolean {
  const row = liveRow(id)
  return row?.direction === 'upload' && !isFolder(row) && !isFinal(row.status) && row.unitsTotal > 1
}

async function saveParts(id: TransferId): Promise<void> {
  if (!(await request('transfers:save-parts', { id }))) return
  const name = liveRow(id)?.name ?? ''
  showToast(() => t('commands.parts-list-saved', { name }))
}
