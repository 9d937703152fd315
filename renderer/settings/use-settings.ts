import { useEffect, useState } from 'react'
import type { Settings } from '../../shared/settings.ts'
import { appStore, changeSettings, reloadSettings, useApp } from '../state/app-store.ts'
import { run } from '../state/ui-store.ts'
import { beforeChange } from './sections.ts'

export interface SettingsEditor {
  readonly settings: Settings
  /** Counts at once. */
  readonly set: (changes: Partial<Settings>) => void
  /** Takes the last change back; null: nothing was changed since the sheet opened, or it was taken back. */
  readonly undo: (() => void) | null
}

/** The settings, changed at once and with a way back. */
export function useSettings(): SettingsEditor {
  const settings = useApp((state) => state.settings)
  const [before, setBefore] = useState<Partial<Settings> | null>(null)
  // An answer to the quit question may have changed them meanwhile.
  useEffect(() => run(reloadSettings()), [])

  function set(changes: Partial<Settings>): void {
    setBefore(beforeChange(appStore.getState().settings, changes))
    run(changeSettings(changes))
  }

  function takeBack(changes: Partial<Settings>): void {
    setBefore(null)
    run(changeSettings(changes))
  }

  return { settings, set, undo: before === null ? null : () => takeBack(before) }
}
