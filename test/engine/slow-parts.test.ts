import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { AnswerLate, createSlowParts, type SlowParts } from '../../electron/engine/slow-parts.ts'
import type { UploadPartRequest } from '../../electron/stores/object-store.ts'
import { createFakeClock } from '../support/fake-clock.ts'

const SIZE = 100
const part = (signal = new AbortController().signal): UploadPartRequest => ({
  key: 'key',
  uploadId: 'upload',
  partNumber: 1,
  body: { sizeBytes: SIZE, open: () => Readable.from([]) },
  signal,
})

/** Takes `bytes` of the body, and does not answer until it is aborted. */
function hang(bytes: number): (request: UploadPartRequest) => Promise<never> {
  return ({ onSent, signal }) => {
    onSent?.(bytes)
    return new Promise((_, reject) => {
      signal.addEventListener('abort', () => {
        reject(signal.reason as Error)
      })
    })
  }
}

async function answerTen(slow: SlowParts): Promise<void> {
  for (let count = 0; count < 10; count += 1) {
    await slow.send(part(), ({ onSent }) => {
      onSent?.(SIZE)
      return Promise.resolve()
    })
  }
}

test('an answer that is overdue is not waited for', async () => {
  const clock = createFakeClock()
  const slow = createSlowParts(clock, () => 4)
  await answerTen(slow)
  const late = slow.send(part(), hang(SIZE))
  const told = expect(late).rejects.toBeInstanceOf(AnswerLate)
  await clock.advance(1000)
  await told
  expect(clock.sleeping).toBe(0)
})

test.each([
  ['before the whole part was sent', () => 4, SIZE - 1],
  ['where it means nothing', () => null, SIZE],
])('nothing is overdue %s', async (_, connections, sentBytes) => {
  const clock = createFakeClock()
  const slow = createSlowParts(clock, connections)
  await answerTen(slow)
  const stop = new AbortController()
  const waiting = slow.send(part(stop.signal), hang(sentBytes))
  expect(clock.sleeping).toBe(0)
  stop.abort('pause')
  await expect(waiting).rejects.toBe('pause')
})

test('a stop ends the watch', async () => {
  const clock = createFakeClock()
  const slow = createSlowParts(clock, () => 4)
  await answerTen(slow)
  const stop = new AbortController()
  const waiting = slow.send(part(stop.signal), hang(SIZE))
  expect(clock.sleeping).toBe(1)
  stop.abort('pause')
  await expect(waiting).rejects.toBe('pause')
  expect(clock.sleeping).toBe(0)
})
