import type { TransferDelta } from '../../../shared/transfer/transfer-delta.ts'
import { deadlineIn, waitUntil, type WaitClock } from './wait-until.ts'
import type { WhenDone, WhenDoneCountdown } from '../../../shared/ipc/desktop-requests.ts'

/** How long a person has to cancel before the computer sleeps or the app quits, milliseconds. */
export const COUNTDOWN_MS = 60_000
/** If the machine slept past the end of the countdown by more than this, a person has come back. Milliseconds. */
const MAX_LATE_MS = 30_000

/** What the computer or the app does once all transfers are done. */
export interface WhenAllDone {
  readonly chosen: () => WhenDone
  /** Null: nothing is about to happen. */
  readonly countdown: () => WhenDoneCountdown | null
  /** Applies once, to transfers that end from now on, and is forgotten when the app quits. */
  readonly choose: (what: WhenDone) => void
  readonly observe: (delta: TransferDelta) => void
  readonly close: () => void
}

export interface WhenAllDoneDeps {
  readonly clock: WaitClock
  /** Whether transfers will go on by themselves later although none waits now. */
  readonly isHeld: () => boolean
  readonly effects: Readonly<Record<Exclude<WhenDone, 'nothing'>, () => Promise<void>>>
  readonly onChange: () => void
  readonly onError: (what: Exclude<WhenDone, 'nothing'>, error: unknown) => void
}

/**
 * Sleeps or quits a minute after the last transfer ends, if one has ended since the person chose so. Transfers that
 * need attention hold it up only beside paused ones; if nothing else is left they don't, because the person is away.
 */
export function createWhenAllDone({ clock, isHeld, effects, onChange, onError }: WhenAllDoneDeps): WhenAllDone {
  let chosen: WhenDone = 'nothing'
  let chosenAtMs = clock.nowMs()
  let hasEnded = false
  let countdown: WhenDoneCountdown | null = null
  let counting = new AbortController()

  function choose(what: WhenDone): void {
    stopCounting()
    chosen = what
    chosenAtMs = clock.nowMs()
    hasEnded = false
    onChange()
  }

  function stopCounting(): void {
    counting.abort()
    countdown = null
  }

  async function count(what: Exclude<WhenDone, 'nothing'>, attention: number): Promise<void> {
    counting = new AbortController()
    const { signal } = counting
    const deadline = deadlineIn(clock, COUNTDOWN_MS)
    const endsAtMs = deadline.wallMs
    countdown = { what, endsAtMs, attention }
    onChange()
    await waitUntil(clock, deadline, signal)
    const isLate = clock.nowMs() - endsAtMs > MAX_LATE_MS
    choose('nothing')
    if (!isLate) await effects[what]()
  }

  function begin(attention: number): void {
    if (chosen === 'nothing') return
    const what = chosen
    const started = count(what, attention)
    const { signal } = counting
    started.catch((error: unknown) => {
      if (!signal.aborted || error !== signal.reason) onError(what, error)
    })
  }

  return {
    chosen: () => chosen,
    countdown: () => countdown,
    choose,
    observe({ added, patched, totals: { counts } }) {
      if (chosen === 'nothing') return
      // Older rows that return to the list ended before.
      const fresh = added.filter(({ createdAtMs }) => createdAtMs >= chosenAtMs)
      hasEnded ||= [...fresh, ...patched].some(({ status }) => status === 'completed' || status === 'failed')
      const isOver = counts.active + counts.waiting === 0 && !(counts.attention > 0 && counts.paused > 0)
      const isDue = hasEnded && isOver && !isHeld()
      if (isDue && countdown === null) begin(counts.attention)
      if (isDue || countdown === null) return
      stopCounting()
      onChange()
    },
    close: () => counting.abort(),
  }
}
