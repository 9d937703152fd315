import { beforeEach, expect, test } from 'vitest'
import {
  connectPendingActions,
  notePendingAction,
  stoppingFor,
} from '../../../../renderer/state/queue/pending-actions.ts'
import { applyToQueue, resetQueue } from '../../../../renderer/state/queue/queue-store.ts'
import type { TransferStatus } from '../../../../shared/transfer/transfer.ts'
import { makeRow, noTotals } from '../../rows.ts'

connectPendingActions()

const list = (status: TransferStatus) => resetQueue({ seq: 0, rows: [makeRow({ id: 'a', status })], totals: noTotals })
const become = (...statuses: readonly TransferStatus[]) => {
  for (const status of statuses) {
    applyToQueue({ seq: 1, added: [], patched: [{ id: 'a', status }], removed: [], totals: noTotals })
  }
}

beforeEach(() => list('transferring'))

test.each([
  ['start-over', ['queued', 'preparing', 'transferring']],
  ['start-over', ['preparing', 'transferring']],
  ['resume', ['queued', 'preparing', 'transferring']],
  // Completing in the last moment stands.
  ['cancel', ['completed', 'queued', 'transferring']],
] as const)('what was asked is told until it was seen, not of a later pause: %s, %j', (action, then) => {
  notePendingAction(action, ['a'])
  become('completing', 'pausing')
  expect(stoppingFor('a')).toBe(action)
  become(...then, 'pausing')
  expect(stoppingFor('a')).toBeNull()
})

test('what was asked of a transfer that had not to stop for it is not told of a later pause', () => {
  list('failed')
  notePendingAction('start-over', ['a'])
  become('preparing', 'transferring', 'pausing')
  expect(stoppingFor('a')).toBeNull()
})

test('of another list only what still stops is told', () => {
  notePendingAction('cancel', ['a'])
  list('pausing')
  expect(stoppingFor('a')).toBe('cancel')
  list('transferring')
  become('pausing')
  expect(stoppingFor('a')).toBeNull()
})
