import type { UpdateChannel } from '../../../shared/settings.ts'
import type { SettingsStore } from '../persistence/settings-store.ts'
import { deadlineIn, waitUntil, type WaitClock } from '../scheduling/wait-until.ts'
import { problemOf } from './update-error.ts'
import type { UpdateList } from './update-list.ts'
import type { UpdateView } from './update-view.ts'
import { isNewer } from './version.ts'

const DAY_MS = 24 * 60 * 60 * 1000

export interface UpdateSearchDeps {
  readonly version: string
  readonly settings: Pick<SettingsStore, 'get' | 'follow'>
  readonly clock: WaitClock
  /** Throws UpdateError. */
  readonly newest: (channel: UpdateChannel) => Promise<UpdateList>
  readonly onError: (what: string, error: unknown) => void
}

export interface UpdateSearch {
  readonly check: (byPerson: boolean) => Promise<void>
  /** Checks now and every day from now on, if the person has agreed to that. */
  readonly start: () => void
  /** The newer version that the last check found, or null. */
  readonly found: () => UpdateList | null
  readonly close: () => void
}

/** Looks for newer versions. */
export function createUpdateSearch(deps: UpdateSearchDeps, view: UpdateView): UpdateSearch {
  const { version, settings, clock, newest, onError } = deps
  let found: UpdateList | null = null
  let waiting = new AbortController()
  let { checksForUpdates: checks, updateChannel: channel } = settings.get()

  async function check(byPerson: boolean): Promise<void> {
    const step = view.step()
    const { kind } = step
    // The person waited for that installation, so its failure stays visible until they check again.
    if (!byPerson && step.kind === 'failed' && step.problem === 'not-installed') return
    const isAskedFor = byPerson || (kind === 'checking' && view.status().isAskedFor)
    // An update that is being downloaded, or is ready, stays as it is.
    if (kind === 'checking' || kind === 'downloading' || kind === 'ready') return view.show(view.step(), { isAskedFor })
    view.show({ kind: 'checking' }, { isAskedFor })
    for (;;) {
      const asked = settings.get().updateChannel
      const outcome = await outcomeOf(asked)
      // The person chose another channel meanwhile.
      if (settings.get().updateChannel !== asked) continue
      return outcome()
    }
  }

  async function outcomeOf(asked: UpdateChannel): Promise<() => void> {
    try {
      const list = await newest(asked)
      return () => {
        found = isNewer(list.version, version) ? list : null
        const step = found === null ? ({ kind: 'newest' } as const) : offerOf(found)
        view.show(step, { checkedAtMs: clock.nowMs() })
      }
    } catch (error) {
      return () => {
        found = null
        onError('check for updates', error)
        view.show({ kind: 'failed', problem: problemOf(error, 'unreachable'), version: null })
      }
    }
  }

  function start(): void {
    waiting.abort()
    if (settings.get().checksForUpdates !== true) return
    waiting = new AbortController()
    const { signal } = waiting
    daily(signal).catch((error: unknown) => {
      if (error !== signal.reason) onError('check for updates', error)
    })
  }

  async function daily(signal: AbortSignal): Promise<void> {
    for (;;) {
      await check(false)
      await waitUntil(clock, deadlineIn(clock, DAY_MS), signal)
    }
  }

  settings.follow((changed) => {
    if (changed.checksForUpdates === checks && changed.updateChannel === channel) return
    const { kind } = view.step()
    const isOutdated = changed.updateChannel !== channel && (kind === 'offered' || kind === 'newest')
    checks = changed.checksForUpdates
    channel = changed.updateChannel
    view.show(isOutdated ? { kind: 'idle' } : view.step())
    start()
  })

  return { check, start, found: () => found, close: () => waiting.abort() }
}

export function offerOf({ version }: UpdateList) {
  return { kind: 'offered', version } as const
}
