import { expect, test } from 'vitest'
import type { RunContext } from '../../../electron/engine/core/run.ts'
import { SILENT_MS, SourceSilence } from '../../../electron/engine/upload/source-silence.ts'
import { createFakeClock } from '../../support/fakes/fake-clock.ts'

/** A file, and what its upload says that it waits for. */
function watched() {
  const clock = createFakeClock()
  const told: (string | null)[] = []
  const report = { waiting: (wait: { reason: string } | null) => told.push(wait?.reason ?? null) }
  const context = { deps: { clock }, report, signal: new AbortController().signal } as unknown as RunContext<never>
  const silence = new SourceSilence(context)
  return {
    told,
    clock,
    ask(): () => Promise<void> {
      let answer: () => void = () => undefined
      const asked = silence.during(new Promise<void>((resolve) => (answer = resolve)))
      return () => {
        answer()
        return asked
      }
    },
  }
}

test('a slow drive is none that does not respond: of much that is asked it answers now and then', async () => {
  const { told, clock, ask } = watched()
  const answers = Array.from({ length: 10 }, ask)
  for (const answer of answers) {
    await clock.advance(SILENT_MS - 100)
    await answer()
  }
  expect(told).toEqual([])
  expect(clock.sleeping).toBe(0)
})

test('one that answers nothing is told of once, and again only after an answer', async () => {
  const { told, clock, ask } = watched()
  const [first, second] = [ask(), ask()]
  await clock.advance(5 * SILENT_MS)
  expect(told).toEqual(['source-unresponsive'])
  await first()
  expect(told).toEqual(['source-unresponsive', null])
  await clock.advance(3 * SILENT_MS)
  await second()
  expect(told).toEqual(['source-unresponsive', null, 'source-unresponsive', null])
})
