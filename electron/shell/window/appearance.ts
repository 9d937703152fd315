import { nativeTheme } from 'electron'
import type { SettingsStore } from '../../services/common/settings-store.ts'

/** The same services, with light or dark as the settings say, now and whenever they are set. */
export function withAppearance<Services extends { readonly settings: SettingsStore }>(services: Services): Services {
  const { settings } = services
  nativeTheme.themeSource = settings.get().appearance
  const set: SettingsStore['set'] = async (changes) => {
    const changed = await settings.set(changes)
    nativeTheme.themeSource = changed.appearance
    return changed
  }
  return { ...services, settings: { ...settings, set } }
}
