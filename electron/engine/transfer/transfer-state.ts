// The states of a transfer: one pure function from a state and an event to the next state.

import { assertNever } from '../../../shared/assert.ts'
import type { TransferStatus } from '../../../shared/transfer/transfer.ts'
import type { RunStage } from '../core/run.ts'

export interface TransferState {
  readonly status: TransferStatus
  /** What the run does when it is not waiting. */
  readonly stage: RunStage
  /** Where a stopping run ends up. */
  readonly afterStop: 'paused' | 'queued' | 'canceled'
}

export type TransferEvent =
  /** A run begins. */
  | { readonly kind: 'started' }
  | { readonly kind: 'stage'; readonly stage: RunStage }
  | { readonly kind: 'waiting' }
  /** Bytes move again, or the wait is over. */
  | { readonly kind: 'proceeding' }
  /** The run has settled. */
  | { readonly kind: 'settled'; readonly outcome: SettledOutcome }
  | { readonly kind: 'pause' | 'resume' | 'retry' | 'startOver' | 'cancel' }
  /** The machine sleeps or the process ends: the run stops, and continues later by itself. */
  | { readonly kind: 'suspend' }

/**
 * How a run settles. The last two are of a run that was to find out how an upload ended before it is canceled or starts
 * over: after `interrupted` the next run goes on finding out, `unresolved` leaves it to a person.
 */
export type SettledOutcome = 'completed' | 'stopped' | 'failed' | 'interrupted' | 'unresolved'

export const QUEUED: TransferState = { status: 'queued', stage: 'preparing', afterStop: 'queued' }

/** The state after `event`. Events that don't apply leave the state as it is (the same object). Pure. */
export function reduce(state: TransferState, event: TransferEvent): TransferState {
  const { status } = state
  switch (status) {
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
      if (event.kind === 'resume' || event.kind === 'startOver') return QUEUED
      return event.kind === 'cancel' ? { ...state, status: 'canceled' } : state
    case 'failed':
      if (event.kind === 'retry' || event.kind === 'startOver') return QUEUED
      return event.kind === 'cancel' ? { ...state, status: 'canceled' } : state
    case 'completed':
    case 'canceled':
      return event.kind === 'startOver' ? QUEUED : state
    default:
      return assertNever(status)
  }
}

function reduceQueued(state: TransferState, event: TransferEvent): TransferState {
  switch (event.kind) {
    case 'started':
      return { status: 'preparing', stage: 'preparing', afterStop: 'queued' }
    case 'pause':
      return { ...state, status: 'paused' }
    case 'cancel':
      return { ...state, status: 'canceled' }
    case 'stage':
    case 'waiting':
    case 'proceeding':
    case 'settled':
    case 'resume':
    case 'retry':
    case 'startOver':
    case 'suspend':
      return state
    default:
      return assertNever(event)
  }
}

function reduceRunning(state: TransferState, event: TransferEvent): TransferState {
  switch (event.kind) {
    case 'stage':
      return { ...state, status: state.status === 'waiting' ? 'waiting' : event.stage, stage: event.stage }
    case 'waiting':
      return state.status === 'waiting' ? state : { ...state, status: 'waiting' }
    case 'proceeding':
      return state.status === 'waiting' ? { ...state, status: state.stage } : state
    case 'settled':
      return settle(state, event.outcome)
    case 'pause':
      return { ...state, status: 'pausing', afterStop: 'paused' }
    case 'cancel':
      return { ...state, status: 'pausing', afterStop: 'canceled' }
    case 'startOver':
    case 'suspend':
      return { ...state, status: 'pausing', afterStop: 'queued' }
    case 'retry':
      return state.status === 'waiting' ? { ...state, status: 'pausing', afterStop: 'queued' } : state
    case 'started':
    case 'resume':
      return state
    default:
      return assertNever(event)
  }
}

/** A stop that is on its way can still change its destination, except that a cancel stands. */
function reducePausing(state: TransferState, event: TransferEvent): TransferState {
  if (event.kind === 'settled') return settle(state, event.outcome)
  if (state.afterStop === 'canceled') return state
  switch (event.kind) {
    case 'pause':
      return { ...state, afterStop: 'paused' }
    case 'resume':
    case 'retry':
    case 'startOver':
      return { ...state, afterStop: 'queued' }
    case 'cancel':
      return { ...state, afterStop: 'canceled' }
    case 'started':
    case 'stage':
    case 'waiting':
    case 'proceeding':
    case 'suspend':
      return state
    default:
      return assertNever(event)
  }
}

/**
 * A completed transfer stays completed, whatever was asked meanwhile: the object or file exists. A failure during a
 * cancel counts as canceled.
 */
function settle(state: TransferState, outcome: SettledOutcome): TransferState {
  switch (outcome) {
    case 'completed':
      return { ...state, status: 'completed' }
    case 'failed':
      return { ...state, status: state.status === 'pausing' && state.afterStop === 'canceled' ? 'canceled' : 'failed' }
    case 'stopped':
      return { ...state, status: state.afterStop }
    case 'interrupted':
      return state.afterStop === 'canceled' ? QUEUED : { ...state, status: state.afterStop }
    case 'unresolved':
      return { ...state, status: 'failed' }
    default:
      return assertNever(outcome)
  }
}
