import { session } from 'electron'
import type { Engine } from '../engine/index.ts'
import { openTransfers, type AppParts, type OpenTransfers } from '../services/index.ts'
import type { Places } from '../services/places/places.ts'
import { createDemoStarter } from '../shell/demo-process.ts'
import { BUILT_FILES } from './built-files.ts'

/** The transfers as the window and the end of the session know them, also before they are open. */
export interface OpeningTransfers {
  /** Null before they are open. */
  readonly snapshot: () => ReturnType<Engine['snapshot']> | null
  /** Whether the key of a place, or the sign-in of a link, goes with the app; false before that is known. */
  readonly losesKey: Places['losesKey']
  readonly losesSignIn: Places['losesSignIn']
  /** Stops them at once and keeps what they have, whether the list is read or not. */
  readonly stopNow: () => void
  /** Call once. `shown` settles when the window is open, where one is to be. */
  readonly open: (shown: Promise<void>) => Promise<OpenTransfers>
}

/** Transfers of the app's folder, not opened yet. */
export function createOpeningTransfers(
  folder: string,
  parts: Pick<AppParts, 'kept' | 'credentials' | 'onError'>,
): OpeningTransfers {
  let opened: OpenTransfers | null = null
  return {
    snapshot: () => opened?.engine.snapshot() ?? null,
    losesKey: (id) => opened?.places.losesKey(id) ?? false,
    losesSignIn: (link) => opened?.places.losesSignIn(link) ?? false,
    stopNow: () => void opened?.engine.suspend(),
    open: async (shown) => {
      const startProcess = createDemoStarter(BUILT_FILES)
      // A process more would hold up the page.
      const startDemo: typeof startProcess = (...asked) => shown.then(() => startProcess(...asked))
      opened = await openTransfers(folder, { ...parts, session: session.defaultSession, startDemo })
      return opened
    },
  }
}
