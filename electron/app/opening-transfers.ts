import { session } from 'electron'
import type { Engine } from '../engine/index.ts'
import { openTransfers, type AppParts, type OpenTransfers } from '../services/index.ts'
import { createDemoStarter } from '../shell/demo-process.ts'
import { BUILT_FILES } from './built-files.ts'

/** The transfers as the window and the end of the session know them, also before they are open. */
export interface OpeningTransfers {
  /** Null before they are open. */
  readonly snapshot: () => ReturnType<Engine['snapshot']> | null
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
  let engine: Engine | null = null
  return {
    snapshot: () => engine?.snapshot() ?? null,
    stopNow: () => void engine?.suspend(),
    open: async (shown) => {
      const startProcess = createDemoStarter(BUILT_FILES)
      // A process more would hold up the page.
      const startDemo: typeof startProcess = (...asked) => shown.then(() => startProcess(...asked))
      const opened = await openTransfers(folder, { ...parts, session: session.defaultSession, startDemo })
      engine = opened.engine
      return opened
    },
  }
}
