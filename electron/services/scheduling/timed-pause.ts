import { z } from 'zod'
import type { ResumeCause } from '../../../shared/transfer/milestones.ts'
import type { TransferDelta } from '../../../shared/transfer/transfer-delta.ts'
import { goesOn } from '../../../shared/transfer/transfer-group.ts'
import type { TransferId, TransferRow } from '../../../shared/transfer/transfer.ts'
import type { Engine } from '../../engine/index.ts'
import type { NamedValues } from '../persistence/named-values.ts'
import { deadlineIn, waitUntil, type Deadline, type WaitClock } from './wait-until.ts'

const NAME = 'timed-pause'
/** `lastsMs` is the duration asked for. It caps the pause after a restart, as the wall clock may have been set back. */
const kept = z.strictObject({ untilMs: z.int(), lastsMs: z.int().optional(), ids: z.array(z.uuid()) }).nullable()
/** Clocks drift apart. A smaller difference than this doesn't change the time that is shown, milliseconds. */
const MAX_DRIFT_MS = 60_000

/** Pauses everything for a limited time. */
export interface TimedPause {
  /** When the paused transfers go on, milliseconds since the epoch; null: there is no timed pause. */
  readonly untilMs: () => number | null
  /**
   * Pauses the transfers that run or wait, and takes over those that an earlier call paused. Resolves when they have
   * stopped. If the pause can't be kept, it rejects and changes nothing.
   */
  readonly pauseUntil: (untilMs: number) => Promise<void>
  /** Resumes the paused transfers at once. */
  readonly resumeNow: () => Promise<void>
  /** Drops from the pause the transfers that go on, end or leave the list meanwhile. */
  readonly observe: (delta: TransferDelta) => void
  /** Calls `listener` whenever `untilMs` changes from now on. */
  readonly follow: (listener: () => void) => void
  /** Reads the clock again, for example after the machine slept. */
  readonly check: () => void
  readonly close: () => Promise<void>
}

export interface TimedPauseDeps {
  readonly engine: Pick<Engine, 'snapshot' | 'pause' | 'resume'>
  readonly values: NamedValues
  readonly clock: WaitClock
  readonly onError: (error: unknown) => void
}

/**
 * Opens the pause as it was when the app was last closed. If its time is over, the transfers go on at once. Call after
 * the engine has loaded its rows.
 */
export async function openTimedPause({ engine, values, clock, onError }: TimedPauseDeps): Promise<TimedPause> {
  const writes = createWrites(values)
  const stored = await values.read(NAME, kept)
  const paused = (among: ReadonlySet<TransferId>) => pausedAmong(engine.snapshot().rows, among)
  let untilMs = stored?.untilMs ?? null
  let lastsMs = stored?.lastsMs
  let ids: ReadonlySet<TransferId> = new Set(stored?.ids)
  let isPausing = false
  const listeners: (() => void)[] = []

  function hold(atMs: number | null, rows: ReadonlySet<TransferId>): void {
    const isOther = atMs !== untilMs
    untilMs = atMs
    ids = rows
    if (isOther) listeners.forEach((tell) => tell())
  }

  function set(atMs: number | null, rows: ReadonlySet<TransferId>): Promise<void> {
    hold(atMs, rows)
    return writes.write(atMs === null ? null : { untilMs: atMs, lastsMs, ids: [...rows] })
  }

  /** Adjusts the time that is shown if the wall clock was set: it will read differently when the pause ends. */
  function sayWhen(leftMs: number): void {
    const endsAtMs = Math.round(clock.nowMs() + leftMs)
    if (untilMs !== null && Math.abs(endsAtMs - untilMs) > MAX_DRIFT_MS) set(endsAtMs, ids).catch(onError)
  }

  async function resume(cause: ResumeCause): Promise<void> {
    alarm.stop()
    // Resume first: after a crash in between, transfers that are no longer paused are left alone.
    await engine.resume([...paused(ids)], cause)
    await set(null, new Set())
  }

  const alarm = createAlarm(clock, { onLook: sayWhen, onDue: () => resume('pause-over'), onError })

  function keepOnly(rows: ReadonlySet<TransferId>): void {
    if (rows.size === ids.size) return
    if (rows.size === 0) alarm.stop()
    set(rows.size === 0 ? null : untilMs, rows).catch(onError)
  }

  if (untilMs !== null) {
    alarm.set(Math.min(untilMs - clock.nowMs(), lastsMs ?? Infinity))
    keepOnly(paused(ids))
  }
  return {
    untilMs: () => untilMs,
    async pauseUntil(atMs) {
      const chosen = pausable(engine.snapshot().rows)
      if (chosen.length + ids.size === 0) return
      const next = { untilMs: atMs, lastsMs: atMs - clock.nowMs(), ids: [...ids, ...chosen] }
      isPausing = true
      try {
        // Write first: after a crash in between, transfers that are not paused are left alone.
        await writes.write(next)
        lastsMs = next.lastsMs
        hold(atMs, new Set(next.ids))
        alarm.set(lastsMs)
        await engine.pause(chosen)
      } finally {
        isPausing = false
      }
      keepOnly(paused(ids))
    },
    resumeNow: () => resume('resumed'),
    observe(delta) {
      if (untilMs !== null && !isPausing) keepOnly(stillAmong(ids, delta))
    },
    follow: (listener) => void listeners.push(listener),
    check() {
      if (untilMs !== null) alarm.look()
    },
    async close() {
      alarm.stop()
      await writes.settled()
    },
  }
}

interface AlarmActions {
  /** Receives the time left until the alarm, milliseconds. */
  readonly onLook: (leftMs: number) => void
  readonly onDue: () => Promise<void>
  readonly onError: (error: unknown) => void
}

function createAlarm(clock: WaitClock, { onLook, onDue, onError }: AlarmActions) {
  let deadline: Deadline | null = null
  let waiting = new AbortController()

  function look(): void {
    waiting.abort()
    waiting = new AbortController()
    const { signal } = waiting
    if (deadline === null) return
    waitUntil(clock, deadline, signal, onLook)
      .then(onDue)
      .catch((error: unknown) => {
        if (error !== signal.reason) onError(error)
      })
  }

  return {
    set(durationMs: number): void {
      deadline = deadlineIn(clock, durationMs)
      look()
    },
    look,
    stop: () => waiting.abort(),
  }
}

/** Writes the pause, one write after another. */
function createWrites(values: NamedValues) {
  let writing: Promise<void> = Promise.resolve()
  return {
    write: (value: z.infer<typeof kept>): Promise<void> => {
      writing = writing.catch(() => undefined).then(() => values.write(NAME, value))
      return writing
    },
    settled: () => writing.catch(() => undefined),
  }
}

const PAUSED: ReadonlySet<TransferRow['status']> = new Set<TransferRow['status']>(['pausing', 'paused'])

/** The transfers that go on by themselves, except those already paused or pausing (which counts as active). */
function pausable(rows: readonly TransferRow[]): readonly TransferId[] {
  return rows.filter(({ status }) => goesOn(status) && !PAUSED.has(status)).map(({ id }) => id)
}

function pausedAmong(rows: readonly TransferRow[], ids: ReadonlySet<TransferId>): ReadonlySet<TransferId> {
  return new Set(rows.filter(({ id, status }) => ids.has(id) && PAUSED.has(status)).map(({ id }) => id))
}

/** The ids that `delta` doesn't show to go on, end or leave the list. Returns the same set if that is all of them. */
function stillAmong(ids: ReadonlySet<TransferId>, { patched, removed }: TransferDelta): ReadonlySet<TransferId> {
  const moved = patched.filter(({ status }) => status !== undefined && !PAUSED.has(status)).map(({ id }) => id)
  const gone = new Set([...moved, ...removed].filter((id) => ids.has(id)))
  return gone.size === 0 ? ids : new Set([...ids].filter((id) => !gone.has(id)))
}
