import { serialize } from 'node:v8'
import { MAX_DELTA_BYTES } from '../../shared/limits.ts'
import type { TransferDelta, TransferPatch, TransferSnapshot } from '../../shared/transfer/transfer-delta.ts'
import { GROUPS, groupOf } from '../../shared/transfer/transfer-group.ts'
import type { TransferDetails, TransferId, TransferRow } from '../../shared/transfer/transfer.ts'
import type { Engine } from '../engine/index.ts'
import { createHeldChanges } from './held-changes.ts'

/** At most one delta is sent per frame, milliseconds. */
const DELTA_INTERVAL_MS = 16
/** How often the queue is checked while the window is not visible, and how often details are sent, milliseconds. */
const SLOW_INTERVAL_MS = 250
/** How often the queue is checked while nothing changes, milliseconds. */
const IDLE_INTERVAL_MS = 100
/** How long the queue is still checked at frame rate after a change, milliseconds. */
const LIVELY_FOR_MS = 1000
/** Room for `seq`, `totals` and the envelope of a message. */
const ENVELOPE_BYTES = 1024

export interface DeltaTarget {
  readonly sendDelta: (delta: TransferDelta) => void
  readonly sendDetails: (details: TransferDetails) => void
  readonly isVisible: () => boolean
}

export interface DeltaPublisher {
  /** The queue now, in the order of the list. A long one is cut at 256 KB; the rest follows as deltas that add rows. */
  readonly snapshot: () => TransferSnapshot
  /** Sends details of this transfer from now on: four times a second, and whenever its status changes. */
  readonly watch: (id: TransferId | null) => void
  /** Checks the queue at the next frame: after a command, and when the window becomes visible. */
  readonly poke: () => void
  readonly close: () => void
}

/**
 * Carries the queue's changes to the window. It pulls: the engine never waits for a window, and what happens between
 * two frames arrives as one delta, mere progress ten times a second. A window that is not visible gets nothing; it
 * receives what it missed when it is visible again. `observe` sees every delta, even while there is no window.
 */
export function createDeltaPublisher(
  engine: Pick<Engine, 'snapshot' | 'takeDelta' | 'details' | 'onChange' | 'isAtRest'>,
  target: DeltaTarget,
  observe: (delta: TransferDelta) => void,
): DeltaPublisher {
  let seq = 0
  let [isFollowed, isClosed] = [false, false]
  const outbox = createOutbox()
  const held = createHeldChanges()
  const details = createDetailsSender(engine, target)
  let [tickedAtMs, changedAtMs] = [-Infinity, -Infinity]
  let timer: NodeJS.Timeout | undefined

  function tick(): void {
    tickedAtMs = performance.now()
    const isVisible = target.isVisible()
    try {
      if (!isVisible || outbox.isEmpty()) pull()
      details.send(tickedAtMs, isVisible ? sendNext() : undefined)
    } finally {
      // A window that fails once must not stay frozen for good.
      const isLively = !outbox.isEmpty() || tickedAtMs - changedAtMs < LIVELY_FOR_MS
      const isTold = !isVisible || (held.isEmpty() && !details.isLate(tickedAtMs))
      schedule(pauseMs(isVisible, isLively, engine.isAtRest && isTold))
    }
  }

  function sendNext(): TransferDelta | undefined {
    const fresh = outbox.isEmpty() ? held.takeDue(tickedAtMs) : null
    if (fresh !== null) outbox.fill(fresh)
    const next = outbox.take()
    if (next !== undefined) target.sendDelta({ ...next, seq: ++seq })
    return next
  }

  function pull(): void {
    const delta = engine.takeDelta()
    if (delta === null) return
    changedAtMs = tickedAtMs
    observe(delta)
    if (isFollowed) held.add(delta)
  }

  function schedule(delayMs: number | null): void {
    clearTimeout(timer)
    if (!isClosed && delayMs !== null) timer = setTimeout(tick, delayMs)
  }

  const poke = (): void => schedule(Math.max(0, tickedAtMs + DELTA_INTERVAL_MS - performance.now()))

  engine.onChange(poke)
  schedule(DELTA_INTERVAL_MS)
  return {
    snapshot: () => {
      const missed = engine.takeDelta()
      if (missed !== null) observe(missed)
      const { rows, totals } = engine.snapshot()
      outbox.fill({ seq: 0, added: asSeen(rows), patched: [], removed: [], totals })
      const first = outbox.take()
      held.clear()
      isFollowed = true
      poke()
      return { seq, rows: first?.added ?? [], totals }
    },
    watch: (id) => {
      details.watch(id)
      poke()
    },
    poke,
    close: () => {
      isClosed = true
      clearTimeout(timer)
    },
  }
}

/** Milliseconds until the queue is checked again; null to wait until a change is reported. */
function pauseMs(isVisible: boolean, isLively: boolean, isAtRest: boolean): number | null {
  if (isVisible && isLively) return DELTA_INTERVAL_MS
  if (isAtRest) return null
  return isVisible ? IDLE_INTERVAL_MS : SLOW_INTERVAL_MS
}

/**
 * Sends changed details of one transfer to a visible window: four times a second, and at once with a new status, so a
 * row never says that it failed beside parts that are still moving.
 */
function createDetailsSender(engine: Pick<Engine, 'details'>, target: DeltaTarget) {
  let watched: TransferId | null = null
  let sent = ''
  let sentAtMs = -Infinity
  return {
    watch: (id: TransferId | null) => {
      watched = id
      sent = ''
      sentAtMs = -Infinity
    },
    /** Returns whether the last details were sent so recently that newer ones are still due. */
    isLate: (nowMs: number) => watched !== null && sentAtMs !== nowMs && nowMs - sentAtMs < SLOW_INTERVAL_MS,
    send: (nowMs: number, told: TransferDelta | undefined) => {
      if (watched === null || !target.isVisible()) return
      const hasNewStatus = told?.patched.some(({ id, status }) => id === watched && status !== undefined) ?? false
      if (!hasNewStatus && nowMs - sentAtMs < SLOW_INTERVAL_MS) return
      sentAtMs = nowMs
      const details = engine.details(watched)
      const text = JSON.stringify(details)
      if (details === null || text === sent) return
      sent = text
      target.sendDetails(details)
    },
  }
}

/** Returns the rows in the order in which the list shows them: what finished long ago comes last. Pure. */
function asSeen(rows: readonly TransferRow[]): readonly TransferRow[] {
  return GROUPS.flatMap((group) => {
    const own = rows.filter(({ status }) => groupOf(status) === group)
    return group === 'done' ? own.sort((one, other) => (other.finishedAtMs ?? 0) - (one.finishedAtMs ?? 0)) : own
  })
}

type Change = { readonly added: TransferRow } | { readonly patched: TransferPatch } | { readonly removed: TransferId }

/** A delta being sent, cut page by page: cutting 100,000 rows at once would hold up everything else. */
function createOutbox() {
  let pages: Iterator<TransferDelta, undefined> | null = null
  let next: TransferDelta | undefined
  return {
    /** Drops what was left of the previous delta. */
    fill: (delta: TransferDelta) => {
      pages = splitDelta(delta)
      next = pages.next().value
    },
    take: () => {
      const taken = next
      next = pages?.next().value
      return taken
    },
    isEmpty: () => next === undefined,
  }
}

/** Cuts a delta into at least one message of at most 256 KB; applied in order, they have the same effect. */
export function* splitDelta(delta: TransferDelta): Generator<TransferDelta, undefined> {
  const changes: readonly Change[] = [
    ...delta.added.map((added) => ({ added })),
    ...delta.patched.map((patched) => ({ patched })),
    ...delta.removed.map((removed) => ({ removed })),
  ]
  let from = 0
  let roomBytes = MAX_DELTA_BYTES - ENVELOPE_BYTES
  for (const [index, change] of changes.entries()) {
    const sizeBytes = serialize(change).length
    if (sizeBytes > roomBytes && index > from) {
      yield pageOf(delta, changes.slice(from, index))
      from = index
      roomBytes = MAX_DELTA_BYTES - ENVELOPE_BYTES
    }
    roomBytes -= sizeBytes
  }
  yield pageOf(delta, changes.slice(from))
}

function pageOf({ seq, totals }: TransferDelta, changes: readonly Change[]): TransferDelta {
  return {
    seq,
    added: changes.flatMap((change) => ('added' in change ? [change.added] : [])),
    patched: changes.flatMap((change) => ('patched' in change ? [change.patched] : [])),
    removed: changes.flatMap((change) => ('removed' in change ? [change.removed] : [])),
    totals,
  }
}
