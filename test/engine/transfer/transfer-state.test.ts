import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  QUEUED,
  reduce,
  type TransferEvent,
  type TransferState,
} from '../../../electron/engine/transfer/transfer-state.ts'
import { isFinal, type TransferStatus } from '../../../shared/transfer/transfer.ts'

const anyEvent: fc.Arbitrary<TransferEvent> = fc.oneof(
  fc
    .constantFrom('preparing', 'transferring', 'verifying', 'completing')
    .map((stage) => ({ kind: 'stage', stage }) as const),
  fc.constantFrom('completed', 'stopped', 'failed').map((outcome) => ({ kind: 'settled', outcome }) as const),
  fc
    .constantFrom('started', 'waiting', 'proceeding', 'pause', 'resume', 'retry', 'start-over', 'cancel', 'suspend')
    .map((kind) => ({ kind })),
)
const anyEvents = fc.array(anyEvent, { maxLength: 30 })

/** States along the way, the first one included. */
function path(events: readonly TransferEvent[]): readonly TransferState[] {
  return events.reduce<TransferState[]>(
    (states, event) => [...states, reduce(states.at(-1) ?? QUEUED, event)],
    [QUEUED],
  )
}

/** Each event with the state before and after it. */
function steps(events: readonly TransferEvent[]) {
  const states = path(events)
  return events.map((event, index) => ({ event, before: states[index] ?? QUEUED, after: states[index + 1] ?? QUEUED }))
}

type Command = Exclude<TransferEvent['kind'], 'stage' | 'settled'>

/** The status at the end of a path. */
function walk(...events: readonly (TransferEvent | Command)[]): TransferStatus {
  const whole = events.map((event) => (typeof event === 'string' ? { kind: event } : event))
  return whole.reduce(reduce, QUEUED).status
}

const stopped = { kind: 'settled', outcome: 'stopped' } as const
const completing = { kind: 'stage', stage: 'completing' } as const

const RUNS: readonly TransferStatus[] = ['preparing', 'transferring', 'waiting', 'verifying', 'completing', 'pausing']

test('a final state is left only by starting over', () => {
  fc.assert(
    fc.property(anyEvents, (events) => {
      for (const { event, before, after } of steps(events)) {
        if (isFinal(before.status) && event.kind !== 'start-over') expect(after).toBe(before)
      }
    }),
  )
})

test('a run begins only with "started" and ends only by settling', () => {
  fc.assert(
    fc.property(anyEvents, (events) => {
      for (const { event, before, after } of steps(events)) {
        const ran = RUNS.includes(before.status)
        if (ran !== RUNS.includes(after.status)) expect(event.kind).toBe(ran ? 'settled' : 'started')
      }
    }),
  )
})

test('once canceled, a transfer ends canceled, or completed if that came first', () => {
  fc.assert(
    fc.property(anyEvents, fc.array(anyEvent.filter((event) => event.kind !== 'start-over')), (before, after) => {
      const canceled = reduce(path(before).at(-1) ?? QUEUED, { kind: 'cancel' })
      const end = reduce(after.reduce(reduce, canceled), stopped)
      expect(['canceled', 'completed']).toContain(end.status)
    }),
  )
})

test('reporting the same wait again gives the same object', () => {
  fc.assert(
    fc.property(anyEvents, (events) => {
      for (const { event, after } of steps(events))
        if (event.kind === 'waiting') expect(reduce(after, event)).toBe(after)
    }),
  )
})

test('a wait returns to the stage that was reached', () => {
  expect(walk('started', 'waiting', completing, 'proceeding')).toBe('completing')
  expect(walk('started', completing, 'waiting', 'proceeding')).toBe('completing')
  expect(walk('started', 'waiting', completing)).toBe('waiting')
})

test('what is asked while it stops decides where it ends up', () => {
  expect(walk('started', 'pause', stopped)).toBe('paused')
  expect(walk('started', 'pause', 'resume', stopped)).toBe('queued')
  expect(walk('started', 'suspend', 'pause', stopped)).toBe('paused')
  expect(walk('started', 'pause', 'suspend', stopped)).toBe('paused')
  expect(walk('started', 'start-over', 'cancel', stopped)).toBe('canceled')
  expect(walk('started', 'pause', 'resume', stopped, 'started', stopped)).toBe('queued')
})

test('what is at rest is queued again by what it needs, or from the beginning', () => {
  const failed = { kind: 'settled', outcome: 'failed' } as const
  const completed = { kind: 'settled', outcome: 'completed' } as const
  expect(walk('pause', 'resume')).toBe('queued')
  expect(walk('pause', 'start-over')).toBe('queued')
  expect(walk('started', failed, 'retry')).toBe('queued')
  expect(walk('started', failed, 'start-over')).toBe('queued')
  expect(walk('started', completed, 'start-over')).toBe('queued')
  expect(walk('cancel', 'start-over')).toBe('queued')
})

test('finding out how an upload ended goes on after a cancel that was cut short, and is left to a person without a result', () => {
  const interrupted = { kind: 'settled', outcome: 'interrupted' } as const
  expect(walk('started', 'cancel', interrupted)).toBe('queued')
  expect(walk('started', 'pause', interrupted)).toBe('paused')
  expect(walk('started', 'cancel', { kind: 'settled', outcome: 'unresolved' })).toBe('failed')
})

test('commands that do not apply do nothing', () => {
  expect(walk('resume')).toBe('queued')
  expect(walk('started', 'retry')).toBe('preparing')
  expect(walk('started', { kind: 'settled', outcome: 'failed' }, 'pause')).toBe('failed')
  expect(walk('pause', 'retry')).toBe('paused')
})
