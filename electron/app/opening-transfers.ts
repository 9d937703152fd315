import { session } from 'electron'
import type { Engine } from '../engine/index.ts'
import { openTransfers, type AppParts, type OpenTransfers } from '../services/index.ts'
import type { Places } from '../services/places/places.ts'
import { createDemoStarter } from '../shell/demo-process.ts'
import { BUILT_FILES } from './built-files.ts'

/** The transfers as the window and the end of the session see them, even before they are open. */
export interface OpeningTransfers {
  /** Null until the transfers are open. */
  readonly snapshot: () => ReturnType<Engine['snapshot']> | null
  /** Whether the key of a place, or the sign-in of a link, is lost when the app quits; false until that is known. */
  readonly losesKey: Places['losesKey']
  readonly losesSignIn: Places['losesSignIn']
  /** Stops the transfers at once and keeps what they have, whether or not the list is read. */
  readonly stopNow: () => void
  /** Call once. `shown` settles once the window is open, if it should be. */
  readonly open: (shown: Promise<void>) => Promise<OpenTransfers>
}

/** The transfers of the app's folder, not opened yet. */
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
      // Starting another process would delay the page.
      const startDemo: typeof startProcess = (...asked) => shown.then(() => startProcess(...asked))
      opened = await openTransfers(folder, { ...parts, session: session.defaultSession, startDemo })
      return opened
    },
  }
}
