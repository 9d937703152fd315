import { useRef } from 'react'
import { canDoWith, performOn, type EntryAction } from '../actions/browse-actions.ts'
import type { Entry } from '../state/listing.ts'
import { MenuList, MenuPopover, type MenuEntry } from '../ui/menu.tsx'
import styles from './browse-view.module.css'

export interface OpenEntryMenu {
  readonly entries: readonly Entry[]
  /** Where in the window, pixels. */
  readonly x: number
  readonly y: number
}

const ACTIONS: readonly { readonly id: EntryAction; readonly label: string; readonly startsGroup?: true }[] = [
  { id: 'open', label: 'Open' },
  { id: 'reveal', label: 'Show in its folder' },
  { id: 'download', label: 'Download…' },
  { id: 'link', label: 'Copy link…', startsGroup: true },
  { id: 'copy-key', label: 'Copy path' },
  { id: 'properties', label: 'Properties' },
  { id: 'delete', label: 'Delete…', startsGroup: true },
]

/** Everything that can be done with the rows. */
export function EntryMenu({ menu, onClose }: { readonly menu: OpenEntryMenu; readonly onClose: () => void }) {
  const anchor = useRef<HTMLSpanElement>(null)
  const { entries } = menu
  return (
    <>
      <span ref={anchor} className={styles['anchor']} style={{ left: menu.x, top: menu.y }} />
      <MenuPopover anchor={anchor} placement="bottom start" onClose={onClose}>
        <MenuList
          label="Actions"
          entries={ACTIONS.map((action): MenuEntry => ({ ...action, isDisabled: !canDoWith(action.id, entries) }))}
          onAction={(id) => {
            onClose()
            const action = ACTIONS.find((each) => each.id === id)
            if (action !== undefined) performOn(action.id, entries)
          }}
        />
      </MenuPopover>
    </>
  )
}
