// Keeps track of settings fields whose typed text doesn't apply yet, so that closing the sheet doesn't lose it.

import { createContext, useState } from 'react'
import { flushSync } from 'react-dom'
import type { SettingsSection } from './sections.ts'

export type SettingsTab = SettingsSection | 'network'

export interface TypedField {
  readonly tab: SettingsTab
  /** Whether the field already says why its text can't be used. */
  readonly isTold: boolean
  /** Applies the text. Returns false if it can't be used; then the field says why. */
  readonly take: () => boolean
  readonly focus: () => void
}

/** Where fields register while they have such text. Null outside of the settings. */
export const TypedFields = createContext<{ readonly tab: SettingsTab; readonly fields: Set<TypedField> } | null>(null)

export interface Leaving {
  readonly tab: SettingsTab
  readonly showTab: (tab: SettingsTab) => void
  readonly fields: Set<TypedField>
  /** Closes the sheet, unless a text can't be used; then shows that field. */
  readonly leave: () => void
  /** The same, but drops a text if its field has already said why it can't be used. */
  readonly escape: () => void
}

/** Handles leaving the settings: typed text is applied, however they are left. */
export function useLeaving(first: SettingsTab, onClose: () => void): Leaving {
  const [tab, showTab] = useState(first)
  const [fields] = useState(() => new Set<TypedField>())

  function leaveBut(mayStay: (field: TypedField) => boolean): void {
    const [stuck] = [...fields].filter((field) => !field.take() && mayStay(field))
    if (stuck === undefined) return onClose()
    // Show the tab first, because a field in a hidden tab can't take focus.
    flushSync(() => showTab(stuck.tab))
    stuck.focus()
  }

  return {
    ...{ tab, showTab, fields },
    leave: () => leaveBut(() => true),
    escape: () => leaveBut(({ isTold }) => !isTold),
  }
}
