import { describe, expect, test } from 'vitest'
import type { Sending } from '../../../../electron/engine/core/upload-line.ts'
import { createUploadLine } from '../../../../electron/engine/line/upload/create-upload-line.ts'
import { MIB } from '../../../../shared/limits.ts'
import { createFakeClock } from '../../../support/fakes/fake-clock.ts'
import { LineSender, PART, SLICE } from '../../../support/worlds/line-sender.ts'

const DEEP = 64 * MIB

const asked = {
  isReady: () => true,
  onTaken: () => undefined,
  limitBytesPerSecond: () => null,
  mayBeCopied: () => true,
}

describe.each([
  ['shallow buffers', 256 * 1024],
  ['buffers of a megabyte', MIB],
  ['deep buffers', DEEP],
])('on a slow line with %s', (_, bufferBytes) => {
  test.each([250_000, 1_000_000])(
    'of %i bytes a second parts end one after another, and the line is full',
    async (rate) => {
      const sender = new LineSender({ rate, bufferBytes })
      const partMs = (PART * 1000) / rate
      await sender.send(6, 7 * partMs)
      expect(sender.answeredAtMs).toHaveLength(6)
      expect(sender.answeredAtMs[0]).toBeLessThan(1.1 * partMs)
      expect(sender.answeredAtMs[5]).toBeLessThan(1.05 * 6 * partMs)
      // Behind deep buffers a second one is tried, while two more wait for their answers.
      expect(sender.mostAtOnce).toBeLessThanOrEqual(bufferBytes === DEEP ? 4 : 3)
      expect(sender.late).toEqual([])
    },
  )

  test('the rate is true once a part was answered', async () => {
    const rate = 500_000
    const sender = new LineSender({ rate, bufferBytes })
    await sender.send(6, 40_000)
    expect(sender.line.bytesPerSecond).toBeGreaterThan(0.9 * rate)
    expect(sender.line.bytesPerSecond).toBeLessThan(1.1 * rate)
  })
})

describe.each([250_000, 1_000_000])('on a line of %i bytes a second what a row shows is true', (rate) => {
  test.each([
    ['that a connection fills shows what it drains', 256 * 1024],
    ['of a megabyte shows what it drains', MIB],
    ['that takes whole parts shows it once the first is answered', DEEP],
  ])('where a buffer %s', async (_, bufferBytes) => {
    const sender = new LineSender({ rate, bufferBytes })
    await sender.send(16, (14 * PART * 1000) / rate)
    const beganMs = sender.shown[0]?.atMs ?? 0
    const fromMs = bufferBytes === DEEP ? (sender.answeredAtMs[0] ?? 0) + 1000 : beganMs + 5000
    const shown = sender.shown.filter(({ atMs }) => atMs >= fromMs)
    const errors = shown.map(({ bytesPerSecond }) => Math.abs(bytesPerSecond - rate) / rate)
    expect(errors.filter((error) => error > 0.1).length).toBeLessThan(errors.length / 20)
    expect(Math.max(...errors)).toBeLessThan(0.16)
    // What is told to have moved is what the line carries in a moment, more or less.
    expect(Math.max(...shown.map(({ aheadBytes }) => aheadBytes))).toBeLessThan(rate)
    expect(Math.min(...shown.map(({ aheadBytes }) => aheadBytes))).toBeGreaterThan(-3 * rate)
  })
})

describe('far away, where the service answers 600 ms after the last byte', () => {
  const SHORT = 512 * 1024
  const rate = 600_000

  test.each([
    ['that a connection fills', 256 * 1024],
    ['that takes all', DEEP],
  ])('the first short body tells the rate, behind a buffer %s', async (_, bufferBytes) => {
    const sender = new LineSender({ rate, bufferBytes, responseMs: 600 })
    sender.line.roundTrip(600)
    await sender.send(1, 5000, SHORT)
    expect(sender.answeredAtMs).toHaveLength(1)
    await sender.send(2, 5000)
    const beganMs = sender.answeredAtMs[0] ?? 0
    const shown = sender.shown.filter(({ atMs }) => atMs >= beganMs + 2000)
    expect(shown.length).toBeGreaterThan(100)
    for (const { bytesPerSecond } of shown) {
      expect(bytesPerSecond).toBeGreaterThan(0.9 * rate)
      expect(bytesPerSecond).toBeLessThan(1.1 * rate)
    }
  })

  test('the first short body tells the rate of a fast line until the next one is answered, behind a buffer that takes all', async () => {
    const sender = new LineSender({ rate: 5_000_000, bufferBytes: DEEP, responseMs: 40 })
    sender.line.roundTrip(40)
    await sender.send(1, 1000, SHORT)
    await sender.send(12, 6000)
    const shown = sender.shown.filter(({ atMs }) => atMs >= 1500)
    expect(sender.answeredAtMs[1]).toBeGreaterThan(3000)
    expect(Math.min(...shown.map(({ bytesPerSecond }) => bytesPerSecond))).toBeGreaterThan(0.75 * 5_000_000)
    expect(Math.max(...shown.map(({ bytesPerSecond }) => bytesPerSecond))).toBeLessThan(1.1 * 5_000_000)
  })

  test('a slow response to a request makes no line faster than twice what it carried', async () => {
    const sender = new LineSender({ rate, bufferBytes: DEEP })
    sender.line.roundTrip(5000)
    await sender.send(1, 5000, SHORT)
    await sender.send(2, 3000)
    expect(sender.answeredAtMs).toHaveLength(1)
    expect(sender.line.bytesPerSecond).toBeGreaterThan(0.9 * rate)
    expect(sender.line.bytesPerSecond).toBeLessThan(2.2 * rate)
  })
})

test.each([
  ['lets several begin at once', 0.5, 4, 7],
  ['lets more begin as soon as those are answered', 2, 8, 16],
])('far away a fast first short body %s', async (_, parts, least, most) => {
  const sender = new LineSender({ rate: 60e6, bufferBytes: 256 * 1024, connectionRate: 6e6, responseMs: 40 })
  sender.line.roundTrip(40)
  await sender.send(1, 1000, 512 * 1024)
  expect(sender.answeredAtMs).toHaveLength(1)
  await sender.send(40, (parts * PART * 1000) / 6e6)
  expect(sender.mostAtOnce).toBeGreaterThanOrEqual(least)
  expect(sender.mostAtOnce).toBeLessThanOrEqual(most)
  expect(sender.late).toEqual([])
})

test.each([0.5, 1, 2, 2.5, 3, 4, 6, 10])(
  'on a fast line whose connections take %d MB/s, many parts are on their way soon, as many as pay',
  async (megabytes) => {
    const sender = new LineSender({ rate: 60_000_000, bufferBytes: 256 * 1024, connectionRate: megabytes * 1e6 })
    await sender.send(60, 90_000 / megabytes)
    expect(sender.answeredAtMs).toHaveLength(60)
    expect(sender.mostAtOnce).toBeGreaterThanOrEqual(8)
    expect(sender.late).toEqual([])
  },
)

test.each([
  ['a third of it', 4_770_000, 1_590_000, 0.25 * MIB, 15],
  ['all of it, far away', 9_500_000, undefined, 0.25 * MIB, 100],
  ['a fifth of it', 9_500_000, 1_900_000, 0.25 * MIB, 100],
])(
  'where a connection carries %s, no more parts are on their way for long than fill the line',
  async (_, rate, connectionRate, bufferBytes, responseMs) => {
    const sender = new LineSender({ rate, bufferBytes, responseMs, ...(connectionRate && { connectionRate }) })
    sender.line.roundTrip(responseMs)
    await sender.send(1, 3000, 512 * 1024)
    const count = Math.ceil((80 * rate) / PART)
    await sender.send(count + 1, 120_000)
    expect(sender.answeredAtMs.length).toBeGreaterThan(count)
    expect(sender.mostAtOnce).toBeLessThanOrEqual(8)
  },
)

test.each([1_000_000, 2_500_000, 5_000_000])(
  'a service that takes a second to answer does not hold up a line of %i bytes a second behind deep buffers',
  async (rate) => {
    const partMs = (PART * 1000) / rate
    const sender = new LineSender({ rate, bufferBytes: DEEP, responseMs: 1000 })
    await sender.send(24, 40 * partMs)
    expect(sender.answeredAtMs[23]).toBeLessThan(1.15 * 24 * partMs + 1000)
  },
)

test.each([
  [1_000_000, 250_000, 150, 50],
  [2_000_000, 500_000, 80, 50],
  [4_000_000, 1_000_000, 40, 50],
  [5_000_000, 1_250_000, 30, 50],
  [10_000_000, 1_000_000, 60, 50],
  [10_000_000, 1_000_000, 100, 1000],
  [12_000_000, 1_200_000, 30, 50],
  [12_000_000, 3_000_000, 30, 50],
  [25_000_000, 2_500_000, 30, 50],
])(
  'a line of %i bytes a second is used behind deep buffers, though a connection carries %i (for %i s, answers after %i ms)',
  async (rate, connectionRate, seconds, responseMs) => {
    for (const bufferBytes of [MIB, 3 * MIB, DEEP]) {
      const sender = new LineSender({ rate, connectionRate, bufferBytes, responseMs })
      const count = Math.ceil((seconds * rate) / PART)
      await sender.send(count, 1.5 * seconds * 1000)
      expect(sender.answeredAtMs).toHaveLength(count)
    }
  },
)

test.each([250_000, 500_000, 1_000_000, 1_250_000, 1_500_000, 2_000_000, 2_500_000])(
  'a line of %i bytes a second, which one connection fills, has little more than two parts on their way',
  async (rate) => {
    for (const bufferBytes of [3 * MIB, DEEP]) {
      const sender = new LineSender({ rate, bufferBytes, responseMs: 50 })
      await sender.send(24, (1.05 * 24 * PART * 1000) / rate)
      expect(sender.answeredAtMs).toHaveLength(24)
      expect(sender.mostUnderWayBytes).toBeLessThanOrEqual(2.1 * PART)
    }
  },
)

test.each([
  [250e6, 165e6, 0],
  [250e6, 125e6, 0],
  [250e6, 250e6, 40],
  [250e6, 125e6, 20],
  [120e6, 80e6, 0],
  [60e6, 40e6, 0],
  [40e6, 25e6, 0],
  [20e6, 13e6, 0],
])(
  'a line of %d bytes a second, of a connection %d, answers after %d ms, is full though this process was slow at first',
  async (rate, connectionRate, responseMs) => {
    const sender = new LineSender({ rate, bufferBytes: DEEP, connectionRate, responseMs, saturatedUntilMs: 3000 })
    const seconds = 10
    const parts = Math.floor((rate * seconds) / PART)
    await sender.send(parts, 4 * seconds * 1000)
    expect(sender.answeredAtMs).toHaveLength(parts)
    expect(sender.answeredAtMs.at(-1)).toBeLessThan(1.15 * seconds * 1000)
    expect(sender.late).toEqual([])
  },
)

describe('under a limit', () => {
  test('that one connection reaches, parts are sent one after the other, for a pause loses them', async () => {
    const sender = new LineSender({ rate: 60_000_000, bufferBytes: 256 * 1024, limit: 2_000_000 })
    await sender.send(6, 20_000)
    expect(sender.answeredAtMs).toHaveLength(6)
    expect(sender.answeredAtMs[0]).toBeLessThan((1.1 * PART) / 2000)
    expect(sender.mostAtOnce).toBeLessThanOrEqual(2)
  })

  test('that takes several connections, several are used', async () => {
    const sender = new LineSender({
      rate: 60_000_000,
      bufferBytes: 256 * 1024,
      connectionRate: 4_000_000,
      limit: 16_000_000,
    })
    await sender.send(60, 40_000)
    expect(sender.answeredAtMs).toHaveLength(60)
    expect(sender.answeredAtMs.at(-1)).toBeLessThan((1.4 * 60 * PART) / 16_000)
  })
})

test('small bodies go together as far as their bytes fit the line', async () => {
  const slow = new LineSender({ rate: 1_000_000, bufferBytes: DEEP })
  await slow.send(40, 30_000, 500_000)
  expect(slow.answeredAtMs).toHaveLength(40)
  expect(slow.answeredAtMs.at(-1)).toBeLessThan(1.05 * 20_000)
  // What comes in 1.2 s, and in a step of the way.
  expect(slow.mostUnderWayBytes).toBeLessThanOrEqual(1_220_000)
  const many = new LineSender({ rate: 1_000_000, bufferBytes: DEEP })
  await many.send(60, 1000, 4096)
  expect(many.mostAtOnce).toBe(60)
})

describe('silence', () => {
  test.each([3000, 20_000])('of the line for %i ms gives nothing up', async (silentMs) => {
    const sender = new LineSender({ rate: 1_000_000, bufferBytes: DEEP })
    const sending = sender.send(6, 90_000)
    sender.stallAt(8000, silentMs)
    await sending
    expect(sender.late).toEqual([])
    expect(sender.answeredAtMs).toHaveLength(6)
  })

  test('that is explained by the bodies that began meanwhile ends none, however slow the line', async () => {
    const rate = 36 * 1024
    const idealMs = (8 * PART * 1000) / rate
    const sender = new LineSender({ rate, bufferBytes: DEEP })
    await sender.send(8, 2 * idealMs)
    expect(sender.mostAtOnce).toBeGreaterThan(2)
    expect(sender.late).toEqual([])
    expect(sender.answeredAtMs).toHaveLength(8)
    expect(sender.answeredAtMs[7]).toBeLessThan(1.05 * idealMs)
  })

  test('that nothing explains ends a body, and does not keep the next one waiting', async () => {
    const sender = new LineSender({ rate: 1_000_000, bufferBytes: DEEP })
    sender.swallowed = 1
    await sender.send(6, 120_000)
    expect(sender.answeredAtMs).toHaveLength(5)
    expect(sender.answeredAtMs.at(-1)).toBeLessThan(65_000)
    expect(sender.late).toHaveLength(1)
  })
})

describe('a body whose connection crawls', () => {
  const way = { rate: 60_000_000, bufferBytes: 256 * 1024, connectionRate: 4_000_000 }

  test.each([12, 29])(
    'while others are through in no time, is given up within seconds: of 30 the one at %i',
    async (rank) => {
      const sender = new LineSender(way)
      sender.crawling = rank
      await sender.send(30, 60_000)
      expect(sender.answeredAtMs).toHaveLength(29)
      expect(sender.late).toHaveLength(1)
      expect(sender.late[0]).toBeLessThan((sender.answeredAtMs.at(-1) ?? 0) + 6000)
    },
  )

  test('and has taken all of it, is given up once that holds up nothing else and takes no longer than was waited', async () => {
    const sender = new LineSender({ ...way, bufferBytes: DEEP })
    sender.crawling = 29
    await sender.send(30, 60_000)
    expect(sender.answeredAtMs).toHaveLength(29)
    expect(sender.late).toHaveLength(1)
    // Others take 1.3 s.
    expect(sender.late[0]).toBeLessThan((sender.answeredAtMs.at(-1) ?? 0) + 3000)
  })

  test('lets no more begin than a slow line needs, though those wait behind one another', async () => {
    const sender = new LineSender({ rate: 125_000, bufferBytes: 4 * MIB, isInOrder: true })
    sender.crawling = 2
    await sender.send(12, 600_000)
    expect(sender.answeredAtMs.length).toBeGreaterThanOrEqual(9)
    // The one that crawls, one on the line, and two that are begun before its answer.
    expect(sender.mostAtOnce).toBeLessThanOrEqual(4)
  })

  test('is not where the line carries no more than that of any', async () => {
    const sender = new LineSender({ ...way, rate: 200_000 })
    sender.crawling = 3
    await sender.send(6, 60_000)
    expect(sender.late).toEqual([])
  })
})

/** A body whose connection took a slice of what it was given, and nothing for so long since. */
async function standingStill(givenBytes: number, ms: number): Promise<Sending> {
  const clock = createFakeClock()
  const line = createUploadLine({ clock, isSaturated: () => false, fixedWidth: null })
  const { signal } = new AbortController()
  const sending = await line.enter({ ...asked, sizeBytes: PART, rank: 0 }, signal)
  await sending.turn(givenBytes, signal)
  sending.handed(SLICE)
  await clock.advance(ms)
  return sending
}

test('a body that waits for its file, not for its connection, is not given up', async () => {
  const sending = await standingStill(SLICE, 600_000)
  expect(sending.late.aborted).toBe(false)
  sending.end()
})

test('a body that stands still before its connection took all that it was given, is given up', async () => {
  const sending = await standingStill(MIB, 200_000)
  expect(sending.isStarved).toBe(false)
  expect(sending.late.aborted).toBe(true)
  sending.end()
})

describe('a body that waits for its file', () => {
  async function waitBeside(limit: number | null, ms: number, until?: Promise<void>) {
    const clock = createFakeClock()
    const line = createUploadLine({ clock, isSaturated: () => false, fixedWidth: null })
    const { signal } = new AbortController()
    const body = { ...asked, limitBytesPerSecond: () => limit, sizeBytes: PART }
    const first = await line.enter({ ...body, rank: 0 }, signal)
    if (until !== undefined) void first.heldBack(until)
    const second = line.enter({ ...body, rank: 1 }, signal)
    let hasBegun = false
    void second.then(() => (hasBegun = true))
    const pass = async (passMs: number): Promise<boolean> => {
      for (let passed = 0; passed < passMs; passed += 100) await clock.advance(100)
      return hasBegun
    }
    expect(await pass(ms)).toBe(false)
    return { first, second, pass, signal }
  }

  test('holds up no other after a while, is not given up, and goes first again when bytes come', async () => {
    const { first, second: begins, pass, signal } = await waitBeside(null, 3800)
    expect(first.isStarved).toBe(false)
    expect(await pass(500)).toBe(true)
    const second = await begins
    expect(first.isStarved).toBe(true)
    expect(second.turn(SLICE, signal)).toBeNull()
    second.handed(SLICE)
    await pass(600_000)
    expect(first.late.aborted).toBe(false)
    expect(first.turn(SLICE, signal)).toBeNull()
    expect(first.isStarved).toBe(false)
    expect(second.turn(SLICE, signal)).not.toBeNull()
    first.end()
    second.end()
  })

  test('holds up no other, however many do', async () => {
    const clock = createFakeClock()
    const line = createUploadLine({ clock, isSaturated: () => false, fixedWidth: null })
    const { signal } = new AbortController()
    let begun = 0
    for (let rank = 0; rank < 10; rank += 1)
      void line.enter({ ...asked, sizeBytes: PART, rank }, signal).then(() => (begun += 1))
    for (let passed = 0; passed < 10 * 4200; passed += 100) await clock.advance(100)
    expect(begun).toBe(10)
  })

  test('keeps its place while it is its bandwidth limit that it waits for, and only then', async () => {
    let grant = (): void => undefined
    const tokens = new Promise<void>((resolve) => (grant = resolve))
    const { first, pass } = await waitBeside(1000, 60_000, tokens)
    expect(first.isStarved).toBe(false)
    grant()
    expect(await pass(4300)).toBe(true)
    expect(first.isStarved).toBe(true)
    first.end()
  })
})

test('a body that waits for its turn gets a little, so that the service does not take it for dead', async () => {
  const clock = createFakeClock()
  const line = createUploadLine({ clock, isSaturated: () => false, fixedWidth: null })
  const { signal } = new AbortController()
  const move = async (sending: Sending, everyMs: number, bytes = SLICE): Promise<void> => {
    await sending.turn(SLICE, signal)
    await clock.advance(everyMs)
    sending.handed(bytes)
  }
  const first = await line.enter({ ...asked, sizeBytes: PART, rank: 0 }, signal)
  let begun: Sending | null = null
  const begins = line.enter({ ...asked, sizeBytes: PART, rank: 1 }, signal).then((sending) => (begun = sending))
  while (begun === null) await move(first, 10, SLICE / 8)
  // The first one's last bytes are slow.
  const second = await begins
  const turn = second.turn(SLICE, signal)
  let hasTurn = false
  void turn?.then(() => (hasTurn = true))
  expect(turn).not.toBeNull()
  await move(first, 3000)
  expect(hasTurn).toBe(false)
  await move(first, 3000)
  expect(hasTurn).toBe(true)
  expect(first.handedBytes).toBeLessThan(PART)
  first.end()
  second.end()
})

test('a small body passes a large one on its way', async () => {
  const clock = createFakeClock()
  const line = createUploadLine({ clock, isSaturated: () => false, fixedWidth: null })
  const { signal } = new AbortController()
  const large = await line.enter({ ...asked, sizeBytes: PART, rank: 0 }, signal)
  large.handed(SLICE)
  const small = await line.enter({ ...asked, sizeBytes: 2 * MIB, rank: 1 }, signal)
  expect(small.turn(SLICE, signal)).toBeNull()
  small.end()
  large.end()
})

test('of two that wait the one of the lower rank goes first, and small ones before large ones', async () => {
  const clock = createFakeClock()
  const line = createUploadLine({ clock, isSaturated: () => false, fixedWidth: 1 })
  const { signal } = new AbortController()
  const order: string[] = []
  const enter = async (name: string, rank: number, sizeBytes: number): Promise<void> => {
    const sending = await line.enter({ ...asked, sizeBytes, rank }, signal)
    order.push(name)
    sending.end()
  }
  const first = await line.enter({ ...asked, sizeBytes: PART, rank: 0 }, signal)
  const all = [enter('late', 2, PART), enter('early', 1, PART), enter('small', 3, 1000)]
  first.end()
  await Promise.all(all)
  expect(order).toEqual(['small', 'early', 'late'])
})

test('what a body has moved is told, in all its size once it is answered, and taken back when it is given up', async () => {
  const clock = createFakeClock()
  const line = createUploadLine({ clock, isSaturated: () => false, fixedWidth: null })
  const { signal } = new AbortController()
  let moved = 0
  const body = { ...asked, sizeBytes: PART, rank: 0, onTaken: (bytes: number) => (moved += bytes) }
  const lost = await line.enter(body, signal)
  lost.handed(PART)
  lost.end()
  expect(moved).toBe(0)
  const sent = await line.enter(body, signal)
  sent.handed(PART)
  await clock.advance(1000)
  sent.answered()
  sent.end()
  expect(moved).toBe(PART)
})
