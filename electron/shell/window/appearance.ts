import { nativeTheme } from 'electron'
import type { SettingsStore } from '../../services/persistence/settings-store.ts'

/** Returns the same services, with light or dark mode following the settings, now and after changes. */
export function withAppearance<Services extends { readonly settings: SettingsStore }>(services: Services): Services {
  const { settings } = services
  nativeTheme.themeSource = settings.get().appearance
  settings.follow(({ appearance }) => (nativeTheme.themeSource = appearance))
  return services
}
