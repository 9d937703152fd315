import { useEffect } from 'react'
import { FILTER_FIELD_ID, OBJECT_FILTER_ID } from '../actions/field-ids.ts'
import { undoRemoval } from '../actions/rows/take-off.ts'
import { carryOut, isField } from '../commands/carry-out.ts'
import { WINDOW_KEYS, type WindowKeyAction } from '../commands/shortcuts.ts'
import type { NamedCommand } from '../../shared/ipc/menu-commands.ts'
import { inTable } from '../ui/shortcut.ts'

/** Fields with the list that they filter below them. */
const FILTER_FIELDS: ReadonlySet<string> = new Set([FILTER_FIELD_ID, OBJECT_FILTER_ID])

/**
 * The shortcuts of the whole window. They do nothing while a sheet is open. The menu bar has the same shortcuts, but a
 * key that is handled here doesn't reach it.
 */
export function useShortcuts(): void {
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent): void {
      if (document.querySelector('[role="dialog"], [role="alertdialog"]') !== null) return
      if (event.key === 'ArrowDown' && FILTER_FIELDS.has(document.activeElement?.id ?? '')) {
        event.preventDefault()
        document.querySelector<HTMLElement>('main :is([role="grid"], [role="treegrid"]) [tabindex="0"]')?.focus()
        return
      }
      const does = inTable(WINDOW_KEYS, event)
      // In a field, undo belongs to what was typed.
      if (does === undefined || (does === 'undo' && isField(event.target))) return
      event.preventDefault()
      // A key that is held down counts once, except for moving through the panes.
      if (!event.repeat || does === 'next-pane' || does === 'previous-pane') doByKey(does)
    }
    window.addEventListener('keydown', onKeyDown)
    return () => {
      window.removeEventListener('keydown', onKeyDown)
    }
  }, [])
}

function doByKey(does: NamedCommand | WindowKeyAction): void {
  if (does === 'undo') undoRemoval()
  else if (does === 'next-pane') focusNextPane(1)
  else if (does === 'previous-pane') focusNextPane(-1)
  else carryOut(does)
}

/** Walks the panes that hold something to focus. */
function focusNextPane(step: 1 | -1): void {
  const stops = [...document.querySelectorAll<HTMLElement>('[data-pane]')].flatMap((pane) => {
    // Prefer a list's rows to its column heads, which Tab skips.
    const first = firstSeen(pane, '[role="row"][tabindex="0"]') ?? firstSeen(pane, FOCUSABLE)
    return first === undefined ? [] : [{ pane, first }]
  })
  const current = stops.findIndex(({ pane }) => pane.contains(document.activeElement))
  const next = current < 0 ? 0 : (current + step + stops.length) % stops.length
  stops[next]?.first.focus()
}

const FOCUSABLE = '[tabindex="0"], button:not(:disabled), input'

/** The first element that is actually displayed: what a narrow window has no room for takes no focus. */
function firstSeen(pane: HTMLElement, selector: string): HTMLElement | undefined {
  return [...pane.querySelectorAll<HTMLElement>(selector)].find((element) => element.getClientRects().length > 0)
}
