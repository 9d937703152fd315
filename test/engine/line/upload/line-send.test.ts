import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { BodyToSend } from '../../../../electron/engine/core/upload-line.ts'
import { createUploadLine } from '../../../../electron/engine/line/upload/create-upload-line.ts'
import { nextSlice, sendOver, type LineTurn } from '../../../../electron/engine/line/upload/line-send.ts'
import { createFakeClock } from '../../../support/fakes/fake-clock.ts'
import { PART, SLICE } from '../../../support/worlds/line-sender.ts'

const body: BodyToSend = {
  sizeBytes: PART,
  rank: 0,
  isReady: () => true,
  onTaken: () => undefined,
  limitBytesPerSecond: () => null,
  mayBeCopied: () => true,
}

function openLine(clock = createFakeClock()) {
  return createUploadLine({ clock, isSaturated: () => false, fixedWidth: null })
}

test('what waits to feed a body ends with its request', async () => {
  const { signal } = new AbortController()
  const line = openLine()
  let allow = (): void => undefined
  const limiter = { take: () => new Promise<void>((resolve) => (allow = resolve)), limitBytesPerSecond: 1000 }
  let feeding: Promise<void> | null = null
  const send = ({ sending, signal }: LineTurn): Promise<never> => {
    feeding = nextSlice(sending, limiter, SLICE, signal)
    return Promise.reject(new Error('Reset'))
  }
  await expect(sendOver(line, body, signal, send)).rejects.toThrow('Reset')
  // Others have the line by the time the limit lets it go on.
  for (let others = 0; others < 4; others += 1) {
    void line.enter(body, signal).then((sending) => sending.turn(SLICE, signal))
  }
  await setImmediate()
  allow()
  const ended = (feeding as Promise<void> | null)?.then(
    () => 'goes on',
    () => 'ends',
  )
  expect(await Promise.race([ended, setImmediate('waits')])).toBe('ends')
})

test('what a connection took of a body that is over counts for nothing', async () => {
  const clock = createFakeClock()
  const line = openLine(clock)
  let taken = 0
  let late: LineTurn | null = null
  const send = async (turn: LineTurn): Promise<never> => {
    late = turn
    // So slow that the connection is full.
    for (let slices = 0; slices < 20; slices += 1) {
      await turn.sending.turn(SLICE, turn.signal)
      await clock.advance(100)
      turn.onSent(SLICE)
    }
    throw new Error('Reset')
  }
  const onTaken = (bytes: number): void => void (taken += bytes)
  await expect(sendOver(line, { ...body, onTaken }, new AbortController().signal, send)).rejects.toThrow('Reset')
  ;(late as LineTurn | null)?.onSent(SLICE)
  expect(taken).toBe(0)
})
