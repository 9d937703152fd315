import fc from 'fast-check'
import { expect, test } from 'vitest'
import { durableOf, stateOf } from '../../../electron/engine/transfer/durable-state.ts'
import {
  givenUpOf,
  QUEUED,
  reduce,
  type TransferEvent,
  type TransferState,
} from '../../../electron/engine/transfer/transfer-state.ts'

const anyEvent: fc.Arbitrary<TransferEvent> = fc.oneof(
  fc.constantFrom('stopped', 'failed', 'interrupted').map((outcome) => ({ kind: 'settled', outcome }) as const),
  fc
    .constantFrom('started', 'waiting', 'pause', 'resume', 'retry', 'start-over', 'cancel', 'suspend', 'reset')
    .map((kind) => ({ kind })),
)
const anyState = fc.array(anyEvent, { maxLength: 30 }).map((events) => events.reduce(reduce, QUEUED))

/** The state with which the next process begins. */
const afterKill = (state: TransferState): TransferState => stateOf(durableOf(state))

test('what a person gave up stays given up over a kill, at every moment', () => {
  fc.assert(
    fc.property(anyState, (state) => {
      expect(givenUpOf(afterKill(state))).toBe(givenUpOf(state))
    }),
  )
})

test('a kill leaves a transfer where it rests, and has it go on where it ran', () => {
  fc.assert(
    fc.property(anyState, (state) => {
      const { status } = afterKill(state)
      if (state.status === 'pausing') expect(status).toBe(state.afterStop.status === 'paused' ? 'paused' : 'queued')
      else expect(status).toBe(['preparing', 'waiting'].includes(state.status) ? 'queued' : state.status)
      expect(afterKill(afterKill(state))).toEqual(afterKill(state))
    }),
  )
})

test('a cancel that a kill cut short goes on when it is its turn, and no run begins in its place', () => {
  const canceling = reduce(reduce(QUEUED, { kind: 'started' }), { kind: 'cancel' })
  const again = reduce(afterKill(canceling), { kind: 'started' })
  expect(again.status).toBe('pausing')
  expect(reduce(again, { kind: 'settled', outcome: 'stopped' }).status).toBe('canceled')
})
