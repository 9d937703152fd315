import { COMMAND_NAMES, type MenuFacts, type NamedCommand } from '../../shared/ipc/menu-commands.ts'
import { request } from '../bridge.ts'
import { appStore } from '../state/app-store.ts'
import { plansStore } from '../state/plans-store.ts'
import { queueStore } from '../state/queue/queue-store.ts'
import { shownSelection } from '../state/shown-ids.ts'
import { hasSheet } from '../state/ui/open-dialogs.ts'
import { isInspectorShown } from '../state/ui/panes.ts'
import { run } from '../state/ui/messages.ts'
import { uiStore } from '../state/ui/ui-store.ts'
import { isAble, isRowCommand, isTicked, type RowCommand } from './row-commands.ts'

/** How far the menu bar may lag behind, milliseconds. */
const LAG_MS = 100
/** If more rows than this are selected, they aren't checked at every change: all commands for several are offered. */
const MAX_LOOKED_AT = 1000
const FOR_ONE: ReadonlySet<RowCommand> = new Set([
  'review',
  'relink',
  'edit-place',
  'copy-link',
  'show-in-place',
  'save-parts',
])

/** Which commands are available now, and which have a tick. */
export function menuFacts(): MenuFacts {
  const ui = uiStore.getState()
  const isBrowsing = ui.view === 'browse'
  const selection = shownSelection()
  const ticked: readonly (NamedCommand | false)[] = [
    !isBrowsing && `filter:${ui.filter}`,
    `sort:${ui.sort?.by ?? 'none'}`,
    ...ui.columns.map((column) => `column:${column}` as const),
    ui.isCompact && 'compact-rows',
    isInspectorShown(ui) && 'toggle-inspector',
    selection.length <= MAX_LOOKED_AT && isTicked('open-when-done', selection) && 'open-when-done',
  ]
  return {
    able: hasSheet(ui) ? [] : COMMAND_NAMES.filter((command) => isOffered(command, isBrowsing)),
    ticked: ticked.filter((command) => command !== false),
  }
}

function isOffered(command: NamedCommand, isBrowsing: boolean): boolean {
  const { counts } = queueStore.getState().totals
  switch (command) {
    case 'pause-all':
      return counts.active + counts.waiting > 0
    case 'resume-all':
      return counts.paused > 0
    case 'clear-done':
      return counts.done > 0
    case 'export-places':
      return appStore.getState().places.some(({ isDemo }) => !isDemo)
    case 'refresh':
      return isBrowsing
    default:
      return !isRowCommand(command) || (!isBrowsing && isAbleOnSelection(command))
  }
}

function isAbleOnSelection(command: RowCommand): boolean {
  const selection = shownSelection()
  return selection.length > MAX_LOOKED_AT ? !FOR_ONE.has(command) : isAble(command, selection)
}

/** Tells main when the facts have changed, with a short delay, so that several changes are told together. */
export function connectMenu(): void {
  let told = ''
  let timer: ReturnType<typeof setTimeout> | null = null

  function tell(): void {
    timer = null
    const facts = menuFacts()
    const text = JSON.stringify(facts)
    if (text === told) return
    told = text
    run(request('menu:facts', facts))
  }

  const later = (): void => void (timer ??= setTimeout(tell, LAG_MS))
  uiStore.subscribe(later)
  plansStore.subscribe(later)
  queueStore.subscribe((state, before) => {
    if (state.wording !== before.wording || state.totals !== before.totals) later()
  })
  // Main knows the places themselves. This makes it read them again.
  appStore.subscribe(({ places }, before) => {
    if (places === before.places) return
    told = ''
    later()
  })
  later()
}
