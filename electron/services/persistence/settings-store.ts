import { DEFAULT_SETTINGS, type Settings } from '../../../shared/settings.ts'
import { z } from 'zod'
import type { NamedValues } from './named-values.ts'
import { keptObject, readableMembers, type KeptObject } from './readable-members.ts'
import { settingsSchema } from './schemas.ts'

const NAME = 'settings'
/** Where versions before `whenClosed` kept whether to ask at quit. */
const ASKS_AT_QUIT = 'asks-at-quit'

type Listener = (settings: Settings) => unknown

export interface SettingsStore {
  readonly get: () => Settings
  /**
   * Changes the given members; changes run one after another and take effect once durable, when this resolves. If they
   * can't be kept it rejects and nothing changes. It also rejects if a listener fails; then the change stays in effect.
   */
  readonly set: (changes: Partial<Settings>) => Promise<Settings>
  /** Calls `listener` on every change from now on, once it is durable. `set` waits for a listener's promise. */
  readonly follow: (listener: Listener) => void
}

/**
 * Loads the settings, with defaults for those never set. A stored member that can't be read, such as a newer version's,
 * stays as it is until it is set.
 */
export async function loadSettings(values: NamedValues): Promise<SettingsStore> {
  let kept: KeptObject = { ...(await earlierAnswer(values)), ...(await values.read(NAME, keptObject)) }
  const readable = (): Settings => ({ ...DEFAULT_SETTINGS, ...readableMembers(settingsSchema, kept) })
  let settings = readable()
  let changed: Promise<unknown> = Promise.resolve()
  const listeners: Listener[] = []

  async function apply(changes: Partial<Settings>): Promise<Settings> {
    const next = { ...kept, ...changes }
    await values.write(NAME, next)
    kept = next
    settings = readable()
    await Promise.all(listeners.map((listener) => listener(settings)))
    return settings
  }

  return {
    get: () => settings,
    set: (changes) => {
      const done = changed.then(() => apply(changes))
      changed = done.catch(() => undefined)
      return done
    },
    follow: (listener) => void listeners.push(listener),
  }
}

async function earlierAnswer(values: NamedValues): Promise<Partial<Settings>> {
  return (await values.read(ASKS_AT_QUIT, z.boolean())) === false ? { whenClosed: 'quit' } : {}
}
