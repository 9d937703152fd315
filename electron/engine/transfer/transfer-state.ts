// The states of a transfer: one pure function from a state and an event to the next state.

import { assertNever } from '../../../shared/assert.ts'
import type { GivenUp } from '../core/records.ts'
import type { RunStage } from '../core/run.ts'

/** It waits for its turn, or for a person to resume it. */
interface AtRest {
  readonly status: 'queued' | 'paused'
  /** What its next run does in place of going on; null: it goes on. */
  readonly givenUp: GivenUp | null
}

interface Running {
  readonly status: RunStage
  /** A run of a transfer that starts over only finds out how its upload ended. */
  readonly givenUp: 'start-over' | null
}

interface Waiting {
  readonly status: 'waiting'
  /** What the run does when it is not waiting. */
  readonly stage: RunStage
  readonly givenUp: 'start-over' | null
}

/** What becomes of a transfer once its run has stopped. */
type AfterStop = (AtRest & { readonly givenUp: 'start-over' | null }) | { readonly status: 'canceled' }

interface Pausing {
  readonly status: 'pausing'
  readonly afterStop: AfterStop
}

interface Ended {
  readonly status: 'completed' | 'failed' | 'canceled'
}

export type TransferState = AtRest | Running | Waiting | Pausing | Ended

export type TransferEvent =
  /** A run begins. */
  | { readonly kind: 'started' }
  | { readonly kind: 'stage'; readonly stage: RunStage }
  | { readonly kind: 'waiting' }
  /** Bytes move again, or the wait is over. */
  | { readonly kind: 'proceeding' }
  /** The run has settled. */
  | { readonly kind: 'settled'; readonly outcome: SettledOutcome }
  | { readonly kind: 'pause' | 'resume' | 'retry' | 'start-over' | 'cancel' }
  /** What was given up is dropped: the transfer begins from nothing. */
  | { readonly kind: 'reset' }
  /** The machine sleeps or the process ends: the run stops, and continues later by itself. */
  | { readonly kind: 'suspend' }

/**
 * How a run settles. The last two are of a run that was to find out how an upload ended before it is canceled or starts
 * over: after `interrupted` the next run goes on finding out, `unresolved` leaves it to a person.
 */
export type SettledOutcome = 'completed' | 'stopped' | 'failed' | 'interrupted' | 'unresolved'

export const QUEUED: TransferState = { status: 'queued', givenUp: null }

const CANCELING: Pausing = { status: 'pausing', afterStop: { status: 'canceled' } }
const STARTS_OVER: AtRest & AfterStop = { status: 'queued', givenUp: 'start-over' }

/** Why what was transferred is not continued; null if it is, or if nothing more happens. Pure. */
export function givenUpOf(state: TransferState): GivenUp | null {
  if (state.status !== 'pausing') return 'givenUp' in state ? state.givenUp : null
  return state.afterStop.status === 'canceled' ? 'cancel' : state.afterStop.givenUp
}

/** The state after `event`. Events that don't apply leave the state as it is (the same object). Pure. */
export function reduce(state: TransferState, event: TransferEvent): TransferState {
  switch (state.status) {
    case 'queued':
      return reduceQueued(state, event)
    case 'preparing':
    case 'transferring':
    case 'waiting':
    case 'verifying':
    case 'completing':
      return reduceRunning(state, event)
    case 'pausing':
      return reducePausing(state, event)
    case 'paused':
      return reducePaused(state, event)
    case 'failed':
      if (event.kind === 'retry') return QUEUED
      if (event.kind === 'start-over') return STARTS_OVER
      return event.kind === 'cancel' ? { status: 'canceled' } : state
    case 'completed':
    case 'canceled':
      return event.kind === 'start-over' ? STARTS_OVER : state
    default:
      return assertNever(state)
  }
}

function reduceQueued(state: AtRest, event: TransferEvent): TransferState {
  switch (event.kind) {
    case 'started':
      return state.givenUp === 'cancel' ? CANCELING : { status: 'preparing', givenUp: state.givenUp }
    case 'pause':
      return { ...state, status: 'paused' }
    case 'cancel':
      return { status: 'canceled' }
    case 'reset':
      return afterReset(state)
    case 'stage':
    case 'waiting':
    case 'proceeding':
    case 'settled':
    case 'resume':
    case 'retry':
    case 'start-over':
    case 'suspend':
      return state
    default:
      return assertNever(event)
  }
}

function reducePaused(state: AtRest, event: TransferEvent): TransferState {
  switch (event.kind) {
    case 'resume':
      return { ...state, status: 'queued' }
    case 'start-over':
      return STARTS_OVER
    case 'cancel':
      return { status: 'canceled' }
    case 'reset':
      return afterReset(state)
    case 'started':
    case 'stage':
    case 'waiting':
    case 'proceeding':
    case 'settled':
    case 'pause':
    case 'retry':
    case 'suspend':
      return state
    default:
      return assertNever(event)
  }
}

function afterReset(state: AtRest): AtRest {
  return state.givenUp === null ? state : { ...state, givenUp: null }
}

function reduceRunning(state: Running | Waiting, event: TransferEvent): TransferState {
  const { givenUp } = state
  switch (event.kind) {
    case 'stage':
      return state.status === 'waiting' ? { ...state, stage: event.stage } : { ...state, status: event.stage }
    case 'waiting':
      return state.status === 'waiting' ? state : { status: 'waiting', stage: state.status, givenUp }
    case 'proceeding':
      return state.status === 'waiting' ? { status: state.stage, givenUp } : state
    case 'settled':
      return settle({ status: 'queued', givenUp }, event.outcome)
    case 'pause':
      return { status: 'pausing', afterStop: { status: 'paused', givenUp } }
    case 'cancel':
      return CANCELING
    case 'start-over':
      return { status: 'pausing', afterStop: STARTS_OVER }
    case 'suspend':
      return { status: 'pausing', afterStop: { status: 'queued', givenUp } }
    case 'retry':
      return state.status === 'waiting' ? { status: 'pausing', afterStop: { status: 'queued', givenUp } } : state
    case 'started':
    case 'resume':
    case 'reset':
      return state
    default:
      return assertNever(event)
  }
}

/** A stop that is on its way can still change its destination, except that a cancel stands. */
function reducePausing(state: Pausing, event: TransferEvent): TransferState {
  const { afterStop } = state
  if (event.kind === 'settled') return settle(afterStop, event.outcome)
  if (afterStop.status === 'canceled') return state
  switch (event.kind) {
    case 'pause':
      return { status: 'pausing', afterStop: { ...afterStop, status: 'paused' } }
    case 'resume':
    case 'retry':
      return { status: 'pausing', afterStop: { ...afterStop, status: 'queued' } }
    case 'start-over':
      return { status: 'pausing', afterStop: STARTS_OVER }
    case 'cancel':
      return CANCELING
    case 'started':
    case 'stage':
    case 'waiting':
    case 'proceeding':
    case 'reset':
    case 'suspend':
      return state
    default:
      return assertNever(event)
  }
}

/**
 * A completed transfer stays completed, whatever was asked meanwhile: the object or file exists. A failure during a
 * cancel counts as canceled. Once a transfer that starts over has stopped, it is reset.
 */
function settle(afterStop: AfterStop, outcome: SettledOutcome): TransferState {
  const isCanceled = afterStop.status === 'canceled'
  switch (outcome) {
    case 'completed':
      return { status: 'completed' }
    case 'failed':
      return isCanceled ? { status: 'canceled' } : { status: 'failed' }
    case 'stopped':
      return isCanceled ? { status: 'canceled' } : { status: afterStop.status, givenUp: null }
    case 'interrupted':
      return isCanceled ? { status: 'queued', givenUp: 'cancel' } : afterStop
    case 'unresolved':
      return { status: 'failed' }
    default:
      return assertNever(outcome)
  }
}
