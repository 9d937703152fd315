// Newer versions of Sluice: looked for with the person's consent, downloaded and installed when the person asks.

import { NO_UPDATES, type UpdateAction, type UpdateStatus } from '../../../shared/ipc/update-status.ts'
import { assertNever } from '../../../shared/assert.ts'
import { problemOf } from './update-error.ts'
import type { UpdateList } from './update-list.ts'
import { createUpdateSearch, offerOf, type UpdateSearchDeps } from './update-search.ts'
import { createUpdateView, type UpdateView } from './update-view.ts'

/** Downloads the file that a list names, verifies it, and replaces this copy with it. */
export interface UpdatePackages {
  /** Throws UpdateError, or any error if the signal was aborted. */
  readonly download: (list: UpdateList, onFraction: (fraction: number) => void, signal: AbortSignal) => Promise<void>
  /** Called last, when everything else in the app is closed; ends the process. */
  readonly installAndRestart: () => Promise<void>
}

export interface UpdatesDeps extends UpdateSearchDeps {
  /** The host that lists come from. */
  readonly host: string
  /** Whether the previous run ended to install a newer version and failed. */
  readonly wasRefused: boolean
  /** Null: the package manager or a person installs it. */
  readonly packages: UpdatePackages | null
  /** Whether the person may be asked now for consent to daily checks. */
  readonly mayAsk: () => boolean
  /** Ends the app in order, with `installAndRestart` at its very end. */
  readonly quit: () => void
}

export interface Updates {
  readonly status: () => UpdateStatus
  /** Checks now and every day, if the person has agreed. */
  readonly start: () => void
  readonly act: (action: UpdateAction) => void
  readonly isReady: () => boolean
  /** Whether the app is quitting to install the update that is ready. */
  readonly isRestarting: () => boolean
  /** Calls `listener` on every change of status from now on. */
  readonly follow: (listener: (status: UpdateStatus) => void) => void
  readonly close: () => void
}

/** The updates of a build that has no update server. */
export const WITHOUT_UPDATES: Updates = {
  status: () => NO_UPDATES,
  start: () => undefined,
  act: () => undefined,
  isReady: () => false,
  isRestarting: () => false,
  follow: () => undefined,
  close: () => undefined,
}

export function createUpdates(deps: UpdatesDeps): Updates {
  const { host, settings, wasRefused, packages, mayAsk, quit } = deps
  const view = createUpdateView(() => ({
    host,
    installs: packages !== null,
    asksConsent: settings.get().checksForUpdates === null && mayAsk(),
  }))
  if (wasRefused) view.show({ kind: 'failed', problem: 'not-installed', version: null }, { isAskedFor: true })
  const search = createUpdateSearch(deps, view)
  const download = createDownload(deps, view)
  const isReady = (): boolean => view.step().kind === 'ready'
  let isRestarting = false

  return {
    status: view.status,
    start: search.start,
    act: (action) => {
      switch (action) {
        case 'check':
          return void search.check(true)
        case 'download':
          return void download.begin(search.found())
        case 'stop':
          return download.stop()
        case 'restart':
          isRestarting = isReady()
          return isRestarting ? quit() : undefined
        default:
          return assertNever(action)
      }
    },
    isReady,
    isRestarting: () => isRestarting,
    follow: view.follow,
    close: () => {
      search.close()
      download.stop()
    },
  }
}

function createDownload({ packages, onError }: Pick<UpdatesDeps, 'packages' | 'onError'>, view: UpdateView) {
  let running = new AbortController()

  async function begin(list: UpdateList | null): Promise<void> {
    const { kind } = view.step()
    if (packages === null || list === null || (kind !== 'offered' && kind !== 'failed')) return
    const { version } = list
    running = new AbortController()
    const { signal } = running
    const show = (fraction: number): void => {
      if (!signal.aborted) view.show({ kind: 'downloading', version, fraction }, { isAskedFor: true })
    }
    show(0)
    try {
      await packages.download(list, show, signal)
      signal.throwIfAborted()
      view.show({ kind: 'ready', version })
    } catch (error) {
      if (signal.aborted) return view.show(offerOf(list))
      onError('download update', error)
      view.show({ kind: 'failed', problem: problemOf(error, 'not-downloaded'), version })
    }
  }

  return { begin, stop: () => running.abort() }
}
