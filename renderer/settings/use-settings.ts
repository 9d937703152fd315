import { useEffect, useRef, useState } from 'react'
import type { Settings } from '../../shared/settings.ts'
import { appStore, changeSettings, reloadSettings, useApp } from '../state/app-store.ts'
import { run } from '../state/ui/messages.ts'
import { beforeChange } from './sections.ts'

export interface SettingsEditor {
  readonly settings: Settings
  /** Changes settings, with immediate effect. */
  readonly set: (changes: Partial<Settings>) => void
  /** Undoes the last change; null if there was none since the sheet opened, or it was undone. */
  readonly undo: (() => void) | null
}

/** The settings, with immediate changes that can be undone. */
export function useSettings(): SettingsEditor {
  const settings = useApp((state) => state.settings)
  const [before, setBefore] = useState<Partial<Settings> | null>(null)
  // Reload, because an answer to the question at quitting may have changed them meanwhile.
  useEffect(() => run(reloadSettings()), [])

  const latest = useRef(0)

  /** @param wayBack how to undo the change; null if it is an undo itself */
  function change(changes: Partial<Settings>, wayBack: Partial<Settings> | null): void {
    latest.current += 1
    const number = latest.current
    setBefore(null)
    const kept = changeSettings(changes).then(() => {
      // Of several changes at a time, only the last can be undone.
      if (number === latest.current) setBefore(wayBack)
    })
    run(kept)
  }

  const set = (changes: Partial<Settings>) => change(changes, beforeChange(appStore.getState().settings, changes))

  return { settings, set, undo: before === null ? null : () => change(before, null) }
}
