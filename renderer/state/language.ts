// The language of the window, the one its page came in, then the one that settings say; and the units of its sizes.

import { setUnits } from '../../shared/format-amount.ts'
import { isLanguageTag, languageOf, MIRRORED, type AnyLanguageTag } from '../../shared/language/languages.ts'
import { currentLanguage, setLanguage, setSystem, type System } from '../../shared/language/translate.ts'
import { appStore, useApp, type AppState } from './app-store.ts'

/** Speaks as the page says, and from then on as the settings do. Before anything is drawn. */
export function connectLanguage(): void {
  setSystem(systemOf(navigator.userAgent))
  speak(pageLanguage())
  // The store's first follower: what is drawn again for a change is drawn in its language.
  appStore.subscribe((state) => {
    const tag = languageIn(state)
    if (tag !== currentLanguage().tag) speak(tag)
    setUnits(state.settings.units)
  })
}

/** What components take the direction from: browsers read none out of the tag of the mirrored language. BCP 47. */
export function useLocaleTag(): string {
  const tag = useApp(languageIn)
  return tag === MIRRORED ? 'ar' : tag
}

/** By what all of the window is drawn anew where it says something otherwise. */
export function useWording(): string {
  return useApp((state) => `${languageIn(state)} ${state.settings.units}`)
}

/** Until the settings are known, the page's. */
function languageIn({ info, settings }: AppState): AnyLanguageTag {
  if (info === null) return pageLanguage()
  return settings.language === 'system' ? info.systemLanguage : settings.language
}

function pageLanguage(): AnyLanguageTag {
  const { lang } = document.documentElement
  return isLanguageTag(lang) ? lang : 'en'
}

/** What of the systems this is; all but two are taken for Linux. */
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
