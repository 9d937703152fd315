import { describe, expect, test } from 'vitest'
import { createRunControl, type RunControl } from '../../../electron/engine/transfer/run-control.ts'
import { sumFinishing, type Finisher } from '../../../electron/engine/core/wind-down.ts'
import { createFakeClock } from '../../support/fakes/fake-clock.ts'

/** A finisher that settles when the test says so. */
function held(): { readonly finish: Finisher; readonly askedUntilMs: number[]; end(): void; fail(): void } {
  const askedUntilMs: number[] = []
  let settle = { end: (): void => undefined, fail: (): void => undefined }
  return {
    askedUntilMs,
    finish(deadlineMs) {
      askedUntilMs.push(deadlineMs)
      return new Promise((resolve, reject) => {
        settle = { end: resolve, fail: () => reject(new Error('it failed')) }
      })
    },
    end: () => settle.end(),
    fail: () => settle.fail(),
  }
}

const reasonOf = ({ signal }: RunControl): unknown => (signal.aborted ? signal.reason : 'runs')

describe('winding a run down', () => {
  test('a run that has nothing to finish is stopped at once', () => {
    const control = createRunControl(createFakeClock())
    control.windDown.onWindDown(() => null)
    control.windDownFor(2500, 'pause')
    expect(reasonOf(control)).toBe('pause')
  })

  test('it is stopped when all that was let end has ended, though one of them failed', async () => {
    const clock = createFakeClock()
    const control = createRunControl(clock)
    const [first, second] = [held(), held()]
    control.windDown.onWindDown(first.finish)
    control.windDown.onWindDown(second.finish)
    await clock.advance(400)
    control.windDownFor(2500, 'pause')
    expect([first.askedUntilMs, second.askedUntilMs]).toEqual([[2900], [2900]])
    first.end()
    await clock.advance(100)
    expect(reasonOf(control)).toBe('runs')
    second.fail()
    await clock.advance(0)
    expect([reasonOf(control), clock.sleeping]).toEqual(['pause', 0])
  })

  test('it is stopped at the deadline whatever still runs', async () => {
    const clock = createFakeClock()
    const control = createRunControl(clock)
    control.windDown.onWindDown(held().finish)
    control.windDownFor(2500, 'pause')
    await clock.advance(2499)
    expect(reasonOf(control)).toBe('runs')
    await clock.advance(1)
    expect(reasonOf(control)).toBe('pause')
  })

  test('sleep brings the deadline forward, nothing puts it off, and nothing is asked twice', async () => {
    const clock = createFakeClock()
    const control = createRunControl(clock)
    const one = held()
    control.windDown.onWindDown(one.finish)
    control.windDownFor(2500, 'pause')
    await clock.advance(200)
    control.windDownFor(1000, 'close')
    control.windDownFor(9000, 'close')
    await clock.advance(999)
    expect(reasonOf(control)).toBe('runs')
    await clock.advance(1)
    expect([reasonOf(control), one.askedUntilMs.length, clock.sleeping]).toEqual(['close', 1, 0])
  })

  test('a cancel ends it at once, and so does a second stop without time', async () => {
    for (const [stop, reason] of [
      [(control: RunControl) => control.abort('cancel'), 'cancel'],
      [(control: RunControl) => control.windDownFor(0, 'pause'), 'pause'],
    ] as const) {
      const clock = createFakeClock()
      const control = createRunControl(clock)
      control.windDown.onWindDown(held().finish)
      control.windDownFor(2500, 'pause')
      stop(control)
      await clock.advance(0)
      expect([reasonOf(control), clock.sleeping]).toEqual([reason, 0])
    }
  })

  test('what was taken back is not asked, what comes later is, and is waited for', async () => {
    const clock = createFakeClock()
    const control = createRunControl(clock)
    const [gone, there, late] = [held(), held(), held()]
    control.windDown.onWindDown(gone.finish)()
    control.windDown.onWindDown(there.finish)
    control.windDownFor(2500, 'pause')
    control.windDown.onWindDown(late.finish)
    there.end()
    await clock.advance(100)
    expect([gone.askedUntilMs, late.askedUntilMs, reasonOf(control)]).toEqual([[], [2500], 'runs'])
    late.end()
    await clock.advance(0)
    expect(reasonOf(control)).toBe('pause')
  })

  test('a run that ends while it is wound down leaves no timer behind', async () => {
    const clock = createFakeClock()
    const control = createRunControl(clock)
    control.windDown.onWindDown(held().finish)
    control.windDownFor(2500, 'pause')
    control.release()
    await clock.advance(0)
    expect([clock.sleeping, reasonOf(control)]).toEqual([0, 'runs'])
  })
})

test('what several finish is told as one number, and as none when it is over', () => {
  const told: (number | null)[] = []
  const another = sumFinishing((units) => void told.push(units))
  const [one, two] = [another(), another()]
  one(2)
  two(3)
  one(1)
  one(null)
  two(null)
  expect(told).toEqual([2, 5, 4, 3, null])
})
