import { expect, test } from 'vitest'
import {
  admits,
  afterResponse,
  afterArrival,
  FIRST_WINDOW_BYTES,
  startByteWindow,
  type ByteWindow,
} from '../../../electron/engine/flow-control/byte-window.ts'

const KIB = 1024
const TICK_MS = 10

interface Line {
  readonly bytesPerSecond: number
  readonly latencyMs: number
  /** Whether anything passes at this moment. */
  readonly isUp?: (nowMs: number) => boolean
}

/** Files of one size over a line, as many at a time as are allowed and 96 at most. */
function carry(line: Line, fileBytes: number, seconds: number) {
  let window: ByteWindow = startByteWindow(0)
  const flying: { readonly askedAtMs: number; leftBytes: number }[] = []
  const inFlight = () => flying.length * fileBytes
  let arrivedBytes = 0
  let mostLate = 0
  for (let nowMs = 0; nowMs < seconds * 1000; nowMs += TICK_MS) {
    while (flying.length < 96 && admits(window, inFlight(), fileBytes)) {
      flying.push({ askedAtMs: nowMs, leftBytes: fileBytes })
    }
    const isUp = line.isUp?.(nowMs) ?? true
    let room = isUp ? (line.bytesPerSecond * TICK_MS) / 1000 : 0
    for (const file of flying) {
      const bytes = nowMs - file.askedAtMs < line.latencyMs ? 0 : Math.min(room, file.leftBytes)
      if (bytes === 0) continue
      room -= bytes
      file.leftBytes -= bytes
      arrivedBytes += bytes
      window = afterArrival(window, bytes, nowMs, flying.length < 96)
      if (file.leftBytes <= 0) window = afterResponse(window, line.latencyMs)
    }
    flying.splice(0, flying.length, ...flying.filter(({ leftBytes }) => leftBytes > 0))
    if (nowMs > 10_000) mostLate = Math.max(mostLate, inFlight())
  }
  return { arrivedBytes, mostLate, window }
}

test('many small files go at once', () => {
  const window = startByteWindow(0)
  expect(admits(window, 95 * 4 * KIB, 4 * KIB)).toBe(true)
  expect(admits(window, FIRST_WINDOW_BYTES, 1)).toBe(false)
})

test('one file always goes, however large', () => {
  expect(admits(startByteWindow(0), 0, 100 * FIRST_WINDOW_BYTES)).toBe(true)
})

test.each([
  [250_000, 50, 100 * KIB],
  [1_000_000, 20, 500 * KIB],
  [1_000_000, 300, 40 * KIB],
])(
  'at $0 bytes a second, no more than the line carries in 2 s is under way, and it is full',
  (rate, latencyMs, size) => {
    const { arrivedBytes, mostLate } = carry({ bytesPerSecond: rate, latencyMs }, size, 60)
    expect(mostLate).toBeLessThanOrEqual(2 * rate)
    expect(arrivedBytes).toBeGreaterThanOrEqual(0.97 * rate * 60)
  },
)

test.each([
  [60_000_000, 20],
  [20_000_000, 600],
  [6_000_000, 2000],
])('a line of $0 bytes a second, $1 ms away, is full within some round trips', (rate, latencyMs) => {
  const seconds = 1 + (12 * latencyMs) / 1000
  const { window } = carry({ bytesPerSecond: rate, latencyMs }, 1024 * KIB, seconds)
  const needed = Math.min(96 * 1024 * KIB, (rate * latencyMs) / 1000)
  expect(window.allowedBytes).toBeGreaterThanOrEqual(needed)
})

test('what an outage held back makes no fast line of it', () => {
  const isUp = (nowMs: number) => nowMs % 20_000 < 17_000
  const { mostLate } = carry({ bytesPerSecond: 250_000, latencyMs: 50, isUp }, 100 * KIB, 100)
  expect(mostLate).toBeLessThanOrEqual(FIRST_WINDOW_BYTES)
})
