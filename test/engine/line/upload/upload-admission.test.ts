import { expect, test } from 'vitest'
import type { BodyToSend } from '../../../../electron/engine/core/upload-line.ts'
import { SentBody } from '../../../../electron/engine/line/upload/known/sent-body.ts'
import { nextToBegin, type LineView } from '../../../../electron/engine/line/upload/upload-admission.ts'
import { MIB } from '../../../../shared/limits.ts'

const PART = 5 * MIB
/** A moment after another one has begun, and one was answered. */
const NOW = { begunMs: 10, answeredMs: 10 }

function part(rank: number, isReady = true): BodyToSend {
  return {
    sizeBytes: PART,
    rank,
    isReady: () => isReady,
    onTaken: () => undefined,
    limitBytesPerSecond: () => null,
    mayBeCopied: () => true,
  }
}

/** A line of width 2 with one part on its way. */
function lineOf(bytesPerSecond: number): LineView {
  const first = { body: new SentBody(PART, 0), asked: part(0), isGiven: true, isStuck: false }
  return { members: new Set([first]), width: 2, isFixed: false, bytesPerSecond, turnaroundMs: 1 }
}

test.each([
  ['waits for a moment on a line that is busy with the first for long', 5e6, false],
  ['begins at once on one that would stand still meanwhile', 100e6, true],
])('the next part of a narrow line %s', (_, rate, begins) => {
  const waiter = { body: part(1) }
  expect(nextToBegin([waiter], lineOf(rate), NOW)).toBe(begins ? waiter : undefined)
})

test('a later part does not take the turn of an earlier one that is ready in a moment, on a fast line either', () => {
  const waiting = [{ body: part(1, false) }, { body: part(2) }]
  expect(nextToBegin(waiting, lineOf(100e6), NOW)).toBeUndefined()
  expect(nextToBegin(waiting, lineOf(100e6), { begunMs: 60, answeredMs: 60 })).toBe(waiting[1])
})
