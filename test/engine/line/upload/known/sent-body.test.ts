import { expect, test } from 'vitest'
import { SentBody } from '../../../../../electron/engine/line/upload/known/sent-body.ts'
import { MIB } from '../../../../../shared/limits.ts'

const SLICE_BYTES = MIB / 16
const SLICE_MS = 500
const PACE = (SLICE_BYTES * 1000) / SLICE_MS

function handing(body: SentBody, fromMs: number, everyMs: number, slices: number): number {
  let nowMs = fromMs
  for (let slice = 0; slice < slices; slice += 1) {
    body.asked(nowMs)
    nowMs += everyMs
    body.handed(SLICE_BYTES, nowMs, false)
  }
  return nowMs
}

test('a body that got little next to another shows the pace of the line once it is alone, not its former share', () => {
  const body = new SentBody(100 * SLICE_BYTES, 0)
  const besideMs = handing(body, 0, 900, 8)
  const aloneAtMs = besideMs + 4000
  body.asked(besideMs)
  body.shared()
  body.handed(SLICE_BYTES, aloneAtMs, false)
  const paces: number[] = []
  for (let slices = 0; slices < 40; slices += 1) {
    handing(body, aloneAtMs + slices * SLICE_MS, SLICE_MS, 1)
    if (body.latePace !== null) paces.push(body.latePace)
  }
  expect(paces.length).toBeGreaterThan(10)
  for (const pace of paces) expect(pace).toBeCloseTo(PACE, 0)
})
