import { expect, test } from 'vitest'
import type { Output } from '../../../electron/cli/output.ts'
import { stopTransfers } from '../../../electron/cli/session/stop-transfers.ts'
import { createEngineWorld, enqueueUpload, statuses } from '../../support/worlds/engine-world.ts'

/** A command that stops while a part of its upload is on its way. */
async function stopping() {
  const world = await createEngineWorld()
  await enqueueUpload(world)
  const { context } = await world.runs.next()
  let end = (): void => undefined
  context.windDown.onWindDown(() => {
    context.report.finishing(1)
    return new Promise((resolve) => (end = resolve))
  })
  context.signal.addEventListener('abort', () => context.report.dropped(3_000_000))
  const said: unknown[] = []
  const output: Partial<Output> = {
    finishing: (units, text) => void said.push([units, text]),
    endProgress: () => undefined,
    aside: (json, text) => void said.push([json, text]),
  }
  const [first, second] = [new AbortController(), new AbortController()]
  const stop = { first: first.signal, second: second.signal }
  const stopped = stopTransfers({ engine: world.engine, output: output as Output, stop, clock: world.clock })
  await world.clock.advance(500)
  expect(said.splice(0)).toEqual([[1, 'Finishing 1 part… press Ctrl+C again to stop now']])
  return { world, said, second, stopped, end: () => end() }
}

test('a command waits for what is nearly there, and says what it dropped', async () => {
  const { world, said, stopped, end } = await stopping()
  expect(statuses(world)).toEqual(['a pausing'])
  end()
  await world.clock.advance(0)
  await stopped
  const dropped = [
    { event: 'dropped', bytes: 3_000_000 },
    '3 MB was still on the way: what doesn’t arrive will be sent again.',
  ]
  expect([statuses(world), said]).toEqual([['a queued'], [dropped]])
})

test('a second signal stops it at once', async () => {
  const { world, second, stopped } = await stopping()
  second.abort()
  await stopped
  expect(statuses(world)).toEqual(['a queued'])
})
