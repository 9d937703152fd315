// The language of the window, first that of its page, then that of the settings, and the units of sizes.

import { setUnits } from '../../shared/format/format-amount.ts'
import { isLanguageTag, languageOf, MIRRORED, type AnyLanguageTag } from '../../shared/language/languages.ts'
import { currentLanguage, setLanguage, setSystem, type System } from '../../shared/language/translate.ts'
import { appStore, useApp, type AppState } from './app-store.ts'

/** Sets the page's language, and follows the settings from then on. Call before anything is drawn. */
export function connectLanguage(): void {
  setSystem(systemOf(navigator.userAgent))
  speak(pageLanguage())
  // Must be the store's first subscriber, so that components redrawn for a change use the new language.
  appStore.subscribe((state) => {
    const tag = languageIn(state)
    if (tag !== currentLanguage().tag) speak(tag)
    setUnits(state.settings.units)
  })
}

/** The BCP 47 tag that gives components their direction. Browsers can't derive it from the mirrored language's tag. */
export function useLocaleTag(): string {
  const tag = useApp(languageIn)
  return tag === MIRRORED ? 'ar' : tag
}

/** A key of all wording. The whole window is redrawn when it changes. */
export function useWording(): string {
  return useApp((state) => `${languageIn(state)} ${state.settings.units}`)
}

/** The language of the settings, or until they are known, that of the page. */
function languageIn({ info, settings }: AppState): AnyLanguageTag {
  if (info === null) return pageLanguage()
  return settings.language === 'system' ? info.systemLanguage : settings.language
}

function pageLanguage(): AnyLanguageTag {
  const { lang } = document.documentElement
  return isLanguageTag(lang) ? lang : 'en'
}

/** The system that a user agent names; anything but macOS and Windows counts as Linux. */
function systemOf(userAgent: string): System {
  if (userAgent.includes('Mac')) return 'darwin'
  return userAgent.includes('Windows') ? 'win32' : 'linux'
}

function speak(tag: AnyLanguageTag): void {
  const language = languageOf(tag)
  setLanguage(language)
  document.documentElement.lang = language.tag
  document.documentElement.dir = language.direction
}
