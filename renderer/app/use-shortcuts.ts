import { useEffect } from 'react'
import type { MenuCommand } from '../../shared/ipc/ipc-contract.ts'
import { carryOut } from '../actions/commands.ts'
import { FILTER_FIELD_ID, OBJECT_FILTER_ID } from '../actions/field-ids.ts'
import { setFilter, type Filter } from '../state/ui-store.ts'

/**
 * With ⌘ on a Mac and Ctrl elsewhere; `+` means Shift. The menu bar has the same; a key handled here doesn't reach it.
 */
const COMMANDS: Readonly<Record<string, MenuCommand>> = {
  o: 'upload',
  '+u': 'upload-folder',
  '+o': 'download',
  '+p': 'pause-all',
  '+r': 'resume-all',
  r: 'retry',
  f: 'find',
  i: 'toggle-inspector',
  '+c': 'copy-details',
  ',': 'settings',
}

/** Below them is the list that they filter. */
const FILTER_FIELDS: ReadonlySet<string> = new Set([FILTER_FIELD_ID, OBJECT_FILTER_ID])

const FILTER_KEYS: Readonly<Record<string, Filter>> = {
  1: 'all',
  2: 'attention',
  3: 'active',
  4: 'waiting',
  5: 'paused',
  6: 'done',
}

/** The shortcuts of the whole window. Nothing happens while a sheet is open. */
export function useShortcuts(): void {
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent): void {
      if (document.querySelector('[role="dialog"], [role="alertdialog"]') !== null) return
      if (event.key === 'F6') {
        event.preventDefault()
        focusNextPane(event.shiftKey ? -1 : 1)
        return
      }
      if (event.key === 'ArrowDown' && FILTER_FIELDS.has(document.activeElement?.id ?? '')) {
        event.preventDefault()
        document.querySelector<HTMLElement>('main [role="grid"] [tabindex="0"]')?.focus()
        return
      }
      if ((!event.ctrlKey && !event.metaKey) || event.altKey) return
      const key = (event.shiftKey ? '+' : '') + event.key.toLowerCase()
      const command = COMMANDS[key]
      const filter = FILTER_KEYS[key]
      if (command === undefined && filter === undefined) return
      event.preventDefault()
      if (command !== undefined) carryOut(command)
      if (filter !== undefined) setFilter(filter)
    }
    window.addEventListener('keydown', onKeyDown)
    return () => {
      window.removeEventListener('keydown', onKeyDown)
    }
  }, [])
}

/** Walks the panes that hold something to focus. */
function focusNextPane(step: 1 | -1): void {
  const stops = [...document.querySelectorAll<HTMLElement>('[data-pane]')].flatMap((pane) => {
    // The rows of a list come before the heads of its columns, which Tab passes over.
    const row = pane.querySelector<HTMLElement>('[role="row"][tabindex="0"]')
    const first = row ?? pane.querySelector<HTMLElement>('[tabindex="0"], button:not(:disabled), input')
    return first === null ? [] : [{ pane, first }]
  })
  const current = stops.findIndex(({ pane }) => pane.contains(document.activeElement))
  const next = current < 0 ? 0 : (current + step + stops.length) % stops.length
  stops[next]?.first.focus()
}
