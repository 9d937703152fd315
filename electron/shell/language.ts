import { app } from 'electron'
import { setUnits } from '../../shared/format/format-amount.ts'
import { bestLanguage, isLanguageTag, languageOf, type AnyLanguageTag } from '../../shared/language/languages.ts'
import { setLanguage, setSystem, type System } from '../../shared/language/translate.ts'
import type { SettingsStore } from '../services/persistence/settings-store.ts'

/** The first of the system's languages that the app has. In an unpackaged app, SLUICE_LANGUAGE can name any other. */
export function systemLanguage(): AnyLanguageTag {
  const wanted = app.isPackaged ? '' : (process.env['SLUICE_LANGUAGE'] ?? '')
  return isLanguageTag(wanted) ? wanted : bestLanguage(app.getPreferredSystemLanguages())
}

/** Which of the supported systems this is; all but two count as Linux. */
export function ownSystem(): System {
  const { platform } = process
  return platform === 'win32' || platform === 'darwin' ? platform : 'linux'
}

/** Returns the same services, with sizes shown in the units of their settings. */
export function withUnits<Services extends { readonly settings: SettingsStore }>(services: Services): Services {
  const { settings } = services
  setUnits(settings.get().units)
  settings.follow(({ units }) => setUnits(units))
  return services
}

/**
 * Returns the same services, in the language of their settings now and after changes. Call it before building menus.
 */
export function withLanguage<Services extends { readonly settings: SettingsStore }>(services: Services): Services {
  const { settings } = services
  const speak = (choice = settings.get().language): void =>
    setLanguage(languageOf(choice === 'system' ? systemLanguage() : choice))
  setSystem(ownSystem())
  speak()
  settings.follow(({ language }) => speak(language))
  return services
}
