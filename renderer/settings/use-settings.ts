import { useEffect, useRef, useState } from 'react'
import type { Settings } from '../../shared/settings.ts'
import { appStore, changeSettings, reloadSettings, useApp } from '../state/app-store.ts'
import { run } from '../state/ui/messages.ts'
import { beforeChange } from './sections.ts'

export interface SettingsEditor {
  readonly settings: Settings
  /** Counts at once. */
  readonly set: (changes: Partial<Settings>) => void
  /** Takes the last change back; null: none was kept since the sheet opened, or it was taken back. */
  readonly undo: (() => void) | null
}

/** The settings, changed at once and with a way back. */
export function useSettings(): SettingsEditor {
  const settings = useApp((state) => state.settings)
  const [before, setBefore] = useState<Partial<Settings> | null>(null)
  // An answer to the quit question may have changed them meanwhile.
  useEffect(() => run(reloadSettings()), [])

  const latest = useRef(0)

  /** @param wayBack null: it is one itself. */
  function change(changes: Partial<Settings>, wayBack: Partial<Settings> | null): void {
    latest.current += 1
    const number = latest.current
    setBefore(null)
    const kept = changeSettings(changes).then(() => {
      // Of several at a time the last one can be taken back.
      if (number === latest.current) setBefore(wayBack)
    })
    run(kept)
  }

  const set = (changes: Partial<Settings>) => change(changes, beforeChange(appStore.getState().settings, changes))

  return { settings, set, undo: before === null ? null : () => change(before, null) }
}
