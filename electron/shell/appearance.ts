import { nativeTheme } from 'electron'
import type { SettingsStore } from '../services/common/settings-store.ts'

/** The settings, with light or dark as they say from now on. */
export function followAppearance(settings: SettingsStore): SettingsStore {
  nativeTheme.themeSource = settings.get().appearance
  return {
    get: settings.get,
    set: async (changes) => {
      const changed = await settings.set(changes)
      nativeTheme.themeSource = changed.appearance
      return changed
    },
  }
}
