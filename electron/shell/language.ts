import { app } from 'electron'
import { setUnits } from '../../shared/format-amount.ts'
import { bestLanguage, isLanguageTag, languageOf, type AnyLanguageTag } from '../../shared/language/languages.ts'
import { setLanguage, setSystem, type System } from '../../shared/language/translate.ts'
import type { SettingsStore } from '../services/persistence/settings-store.ts'

/** The first of the system's languages that there is. Before the app is packaged, SLUICE_LANGUAGE can name any other. */
export function systemLanguage(): AnyLanguageTag {
  const wanted = app.isPackaged ? '' : (process.env['SLUICE_LANGUAGE'] ?? '')
  return isLanguageTag(wanted) ? wanted : bestLanguage(app.getPreferredSystemLanguages())
}

/** What of the systems this is; all but two are taken for Linux. */
export function ownSystem(): System {
  const { platform } = process
  return platform === 'win32' || platform === 'darwin' ? platform : 'linux'
}

/** The same services, with sizes in the units that their settings say. */
export function withUnits<Services extends { readonly settings: SettingsStore }>(services: Services): Services {
  const { settings } = services
  setUnits(settings.get().units)
  settings.follow(({ units }) => setUnits(units))
  return services
}

/** The same services, spoken of as their settings say, now and whenever they are set: before the menus, which follow too. */
export function withLanguage<Services extends { readonly settings: SettingsStore }>(services: Services): Services {
  const { settings } = services
  const speak = (choice = settings.get().language): void =>
    setLanguage(languageOf(choice === 'system' ? systemLanguage() : choice))
  setSystem(ownSystem())
  speak()
  settings.follow(({ language }) => speak(language))
  return services
}
