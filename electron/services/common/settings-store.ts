import { DEFAULT_SETTINGS, type Settings } from '../../../shared/settings.ts'
import type { NamedValues } from './named-values.ts'
import { settingsSchema } from './schemas.ts'

const NAME = 'settings'

export interface SettingsStore {
  readonly get: () => Settings
  /** Changes the given members; resolves when they are durable. */
  readonly set: (changes: Partial<Settings>) => Promise<Settings>
}

/** The settings, with the defaults for whatever was never set. */
export async function loadSettings(values: NamedValues): Promise<SettingsStore> {
  let settings: Settings = { ...DEFAULT_SETTINGS, ...(await values.read(NAME, settingsSchema)) }
  return {
    get: () => settings,
    set: async (changes) => {
      settings = { ...settings, ...changes }
      await values.write(NAME, settings)
      return settings
    },
  }
}
