// Fields of the settings in which something is typed that does not count yet: the sheet is not left over their heads.

import { createContext, useState } from 'react'
import { flushSync } from 'react-dom'
import type { SettingsSection } from './sections.ts'

export type SettingsTab = SettingsSection | 'network'

export interface TypedField {
  readonly tab: SettingsTab
  /** It says already why its text can't be used. */
  readonly isTold: boolean
  /** Lets its text count. False: it can't be used, and the field says why. */
  readonly take: () => boolean
  readonly focus: () => void
}

/** Where fields enter themselves as long as they have such a text. Null: outside of the settings. */
export const TypedFields = createContext<{ readonly tab: SettingsTab; readonly fields: Set<TypedField> } | null>(null)

export interface Leaving {
  readonly tab: SettingsTab
  readonly showTab: (tab: SettingsTab) => void
  readonly fields: Set<TypedField>
  /** Closes unless a text can't be used: that field is shown then. */
  readonly leave: () => void
  /** The same, but what a field has said already is let go. */
  readonly escape: () => void
}

/** How the settings are left: what is typed counts, whichever way. */
export function useLeaving(first: SettingsTab, onClose: () => void): Leaving {
  const [tab, showTab] = useState(first)
  const [fields] = useState(() => new Set<TypedField>())

  function leaveBut(mayStay: (field: TypedField) => boolean): void {
    const [stuck] = [...fields].filter((field) => !field.take() && mayStay(field))
    if (stuck === undefined) return onClose()
    // A field of a tab that is not shown takes no focus.
    flushSync(() => showTab(stuck.tab))
    stuck.focus()
  }

  return {
    ...{ tab, showTab, fields },
    leave: () => leaveBut(() => true),
    escape: () => leaveBut(({ isTold }) => !isTold),
  }
}
