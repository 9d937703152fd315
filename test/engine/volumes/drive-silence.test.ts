import { expect, test } from 'vitest'
import type { RunContext } from '../../../electron/engine/core/run.ts'
import { MIB } from '../../../shared/limits.ts'
import { DriveSilence, SILENT_MS } from '../../../electron/engine/volumes/drive-silence.ts'
import { createFakeClock } from '../../support/fakes/fake-clock.ts'

/** A file, and what its transfer says that it waits for. */
function watched() {
  const clock = createFakeClock()
  const told: (string | null)[] = []
  const report = { waiting: (wait: { reason: string } | null) => told.push(wait?.reason ?? null) }
  const context = { deps: { clock }, report, signal: new AbortController().signal } as unknown as RunContext<never>
  let signs = 0
  const silence = new DriveSilence(context, () => signs)
  return {
    told,
    clock,
    silence,
    stir: () => void (signs += 1),
    ask(bytes = 0): () => Promise<void> {
      let answer: () => void = () => undefined
      const asked = silence.during(new Promise<void>((resolve) => (answer = resolve)), bytes)
      return () => {
        answer()
        return asked
      }
    },
  }
}

test('a slow drive is not reported as unresponsive while it answers now and then', async () => {
  const { told, clock, ask, silence } = watched()
  const answers = Array.from({ length: 10 }, () => ask())
  for (const answer of answers) {
    await clock.advance(SILENT_MS - 100)
    await answer()
  }
  expect(told).toEqual([])
  silence.end()
  await clock.advance(0)
  expect(clock.sleeping).toBe(0)
})

test('a drive that answers nothing is reported once, and again only after it has answered', async () => {
  const { told, clock, ask } = watched()
  const [first, second] = [ask(), ask()]
  await clock.advance(5 * SILENT_MS)
  expect(told).toEqual(['drive-unresponsive'])
  await first()
  expect(told).toEqual(['drive-unresponsive', null])
  await clock.advance(3 * SILENT_MS)
  await second()
  expect(told).toEqual(['drive-unresponsive', null, 'drive-unresponsive', null])
})

test('a drive that has much to read before it answers gets the time that a slow one takes', async () => {
  const { told, clock, ask } = watched()
  const answer = ask(30 * MIB)
  await clock.advance(30_000 - 1)
  expect(told).toEqual([])
  await clock.advance(2 * SILENT_MS)
  expect(told).toEqual(['drive-unresponsive'])
  await answer()
})

test('a drive that was idle is not reported as unresponsive when it is used again', async () => {
  const { told, clock, ask } = watched()
  await ask()()
  await clock.advance(SILENT_MS - 100)
  const answer = ask()
  await clock.advance(200)
  await answer()
  expect(told).toEqual([])
  await clock.advance(2 * SILENT_MS)
  expect(clock.sleeping).toBe(0)
})

test('a drive that is busy with many calls at once counts as answering', async () => {
  const { told, clock, ask, stir } = watched()
  const answer = ask()
  for (let count = 0; count < 5; count += 1) {
    stir()
    await clock.advance(SILENT_MS)
  }
  expect(told).toEqual([])
  await clock.advance(SILENT_MS)
  expect(told).toEqual(['drive-unresponsive'])
  stir()
  await clock.advance(SILENT_MS)
  expect(told).toEqual(['drive-unresponsive', null])
  await answer()
})
