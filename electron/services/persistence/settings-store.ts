import { DEFAULT_SETTINGS, type Settings } from '../../../shared/settings.ts'
import { z } from 'zod'
import type { NamedValues } from './named-values.ts'
import { keptObject, readableMembers, type KeptObject } from './readable-members.ts'
import { settingsSchema } from './schemas.ts'

const NAME = 'settings'
/** Where versions without `whenClosed` kept that a person wants no question. */
const ASKS_AT_QUIT = 'asks-at-quit'

type Listener = (settings: Settings) => unknown

export interface SettingsStore {
  readonly get: () => Settings
  /**
   * Changes the given members, one change after another; resolves when they are durable, and count from then on. Where
   * they can't be kept they are as before. Rejects, too, where a listener fails: then they are kept and count.
   */
  readonly set: (changes: Partial<Settings>) => Promise<Settings>
  /** Tells of every change from now on, once it is durable. What a listener promises is waited for. */
  readonly follow: (listener: Listener) => void
}

/**
 * The settings, with the defaults for whatever was never set. A member that can't be read, a newer version's for
 * example, stays as it is until it is set.
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
