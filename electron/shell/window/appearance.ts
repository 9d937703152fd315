import { nativeTheme } from 'electron'
import type { SettingsStore } from '../../services/persistence/settings-store.ts'

/** The same services, with light or dark as the settings say, now and whenever they are set. */
export function withAppearance<Services extends { readonly settings: SettingsStore }>(services: Services): Services {
  const { settings } = services
  nativeTheme.themeSource = settings.get().appearance
  settings.follow(({ appearance }) => (nativeTheme.themeSource = appearance))
  return services
}
