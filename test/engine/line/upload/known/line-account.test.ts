import { expect, test } from 'vitest'
import { LineAccount } from '../../../../../electron/engine/line/upload/known/line-account.ts'
import { SentBody } from '../../../../../electron/engine/line/upload/known/sent-body.ts'
import {
  etaSeconds,
  sampleRate,
  spreadMoved,
  startRate,
} from '../../../../../electron/engine/transfer/rate-estimator.ts'
import { MIB } from '../../../../../shared/limits.ts'

const SLICE_BYTES = MIB / 16
const LOOK_MS = 100
const ONE_MBIT_BYTES = 125_000
const TWO_MBIT_BYTES = 250_000

/**
 * Bodies of 81 slices as they went over real lines of 8 Mbit/s, milliseconds: when a body began, was first given bytes and
 * was answered; then when its connection had taken how many slices.
 */
const SHAPED_BY_KERNEL = `
   0 537 6140 | 540:1 554:5 710:6 714:7 1069:6 1474:6 1879:6 2288:4 2304:2 2699:7 3182:7 3656:7 4134:6 4624:7
     5081:4
   5692 5721 13616 | 5721:1 5948:1 6159:2 6201:3 6235:3 6295:6 6418:6 6829:6 7253:6 7655:6 8100:6 8511:7 8961:5
     8965:1 9405:5 9412:1 9814:7 10253:6 10711:3
   9834 10712 17675 | 10712:18 11464:6 12059:6 12634:5 12638:1 13196:5 13709:6 14118:6 14527:6 14938:6 15350:6
     15755:6 16163:4
   15362 16164 26678 | 16164:16 16168:1 17432:6 18514:6 19795:6 20593:6 21322:6 22010:6 22682:6 23368:6 24044:6
     24740:5 25314:5
   17465 17639 28740 | 17639:1 17874:3 17911:3 17984:3 18041:5 18192:6 18781:6 19364:6 20072:6 20962:6 21936:7
     23081:1 25316:11 25338:7 26869:1 26873:3 26890:3 27228:3
   26858 27229 36177 | 27229:8 27239:8 27243:3 28773:1 28787:6 29252:7 29724:7 30198:7 30671:7 31153:7 31630:4
     31640:3 31659:1 32183:1 32197:7 32717:4
   32230 32718 40749 | 32718:8 32727:8 32770:1 32775:3 33476:7 34203:7 34929:7 35570:7 36274:7 36765:7 37229:7
     37706:7 38184:5
`
const BEHIND_DEEP_BUFFERS = `
   0 443 5746 | 447:2 451:2 466:4 472:5 476:4 480:14 484:9 489:8 494:16 502:8 506:9
   5749 5752 13191 | 5753:1 5757:1 5763:12 5767:2 5772:8 5778:8 5787:8 5792:8 5796:8 5800:16 5810:8 5824:1
   8917 8923 18060 | 8923:15 8927:9 8931:8 8936:8 8951:16 8961:8 8969:8 8974:9
   14668 14674 23144 | 14675:8 14683:8 14689:8 14693:8 14700:8 14704:8 14709:7 14715:6 14719:7 14724:7 14728:6
   20199 20206 28390 | 20206:8 20222:8 20244:6 20250:10 20263:8 20273:15 20297:9 20313:8 20325:9
   25559 25569 33777 | 25569:8 25594:8 25612:8 25625:5 25629:3 25643:5 25648:11 25662:8 25678:15 25685:1 25689:9
   30797 30805 39278 | 30805:5 30810:3 30820:5 30828:2 30833:5 30841:12 30861:7 30870:9 30875:8 30882:8 30890:8
     30898:9
`
/** The same of a line of 1 Mbit/s, on which buffers of connections grow for most of a minute. */
const OF_ONE_MBIT = `
   0 229 3348 | 231:1 308:4 744:1.0625
   3367 3407 49777 | 3408:1 3425:7 3454:5 5569:2 5581:1 5606:4 8323:4 8327:2 11618:6 14912:6 18195:6 21467:6 24772:7
     28575:7 32306:4 32309:2 35649:7 39416:5 39420:1.3125
   44434 44578 99993 | 44578:1 46454:1 49860:1 50249:1 50732:1 51508:1 51895:1 52355:1 53155:1 53591:1 54402:1
     54753:1 55240:1 55821:1 56354:1 57275:1 57796:1 58741:1 59164:1 59673:1 60667:2 61563:1 62059:1 63028:2 63900:1
     64651:1 65742:1 66360:1 66977:1 67465:1 68067:1 68673:1 69169:1 69776:1 70321:1 71071:1 71616:1 72282:1 72961:1
     73615:1 74220:1 74826:1 75419:1 76025:1 76618:1 77224:1 77842:1 78435:1 79041:1 79538:1 80155:1 80822:1 81451:1
     82142:1 82820:1 83474:1 84140:1 84734:1 85327:1 85933:1 86526:1 87132:1 87750:1 88343:1 88949:1 89554:1 90136:1
     90632:1 91274:1 91880:1 92570:1 93236:1 93903:2 95053:1 95660:1 96277:1 96894:1 97489:1 98093:1 98590:1.3125
   54901 55004 140366 | 55004:1 56791:1 59952:1 62865:1 70109:1 73937:1 78029:1 85405:1 89513:1 93061:1 100006:1
     100394:4 100854:1 100857:3 101875:4 103726:5 106358:4 106362:1 108737:5 111456:5 114217:5 116930:5 119643:3
     119646:2 122405:5 125118:5 127831:5 130544:5 133342:5.3125
`

/** The same line twice more: buffers grew by more than was seen, so the last seconds seemed to take less than they did. */
const OF_ONE_MBIT_AGAIN = `
   0 205 3319 | 209:1 285:4 721:1.0625
   3323 3325 50630 | 3332:8 3395:5 5184:6 8743:6 12086:6 15298:6 18615:6 22055:7 25665:6 28936:6 32217:6 35516:2
     35520:4 38709:6 42052:3.3125
   44874 45061 101298 | 45062:1 47358:1 50725:1 51033:2 51396:4 51735:4 53167:1 53171:4 55843:5 59175:5 62470:4
     62493:1 65528:5 68671:5 71784:5 74753:5 77985:1 77998:1 78015:1 78020:1 78032:1 80965:5 84175:5 87202:5 90267:5
     93464:5.3125
   55807 55827 141980 | 55828:1 57443:1 60728:1 63426:1 70690:1 73831:1 74772:1 83690:1 87502:1 91186:1 98385:1
     101409:2 101606:1 101810:3 102099:3 103323:4 105058:4 108325:4 110153:4 112858:4 114575:4 116761:4 118560:4
     120813:5 123526:5 126239:5 128952:5 131726:5 134378:4 136607:2.3125
`
const OF_ONE_MBIT_ALONE = `
   0 316 3456 | 318:1 521:5.0625
   3465 3469 50652 | 3472:3 3486:2 3503:6 3506:5 7309:6 10497:6 13790:4 13794:2 16987:6 20282:5 20324:1 23576:6
     26872:3 26877:3 30070:6 33400:6 36610:2 36616:4 39904:6 43223:1.3125
   45319 45454 96659 | 45456:1 47657:1 50748:1 50904:1 51160:3 51451:3 52688:4 53244:5 56406:5 58673:5 61471:5
     64184:5 66897:5 69647:5 72299:5 75145:5 77822:5 80547:5 83200:5 85950:5 88677:4.3125
   88677 88764 141290 | 88765:1 90952:1 94544:1 97015:2 97180:2 97397:3 98536:4 100017:5 102548:5 104957:5 107683:5
     110407:5 113169:5 115870:5 118535:4 120763:5 123477:5 126190:5 128927:5 131640:5 134375:5.3125
`

interface Recorded {
  readonly beganMs: number
  readonly fedMs: number
  readonly answeredMs: number
  readonly bursts: readonly { readonly atMs: number; readonly slices: number }[]
}

function parsed(text: string): readonly Recorded[] {
  return [...text.matchAll(/(\d+) (\d+) (\d+) \|([\s\d:.]+?)(?=\n {3}\d+ \d+ \d+ \||$)/g)].map((match) => ({
    beganMs: Number(match[1]),
    fedMs: Number(match[2]),
    answeredMs: Number(match[3]),
    bursts: [...(match[4] ?? '').matchAll(/(\d+):([\d.]+)/g)].map(([, atMs, slices]) => ({
      atMs: Number(atMs),
      slices: Number(slices),
    })),
  }))
}

/**
 * A short body over a line of 2 Mbit/s, and a large one whose connection takes half as much again as the line carries
 * until its buffers have grown by 19 slices.
 */
function throughGrowingBuffers(): readonly Recorded[] {
  const sliceMs = (SLICE_BYTES * 1000) / TWO_MBIT_BYTES
  const bodyOf = (fedMs: number, slices: number, takenAtMs: (slice: number) => number): Recorded => ({
    beganMs: fedMs - 100,
    fedMs,
    answeredMs: fedMs + slices * sliceMs,
    bursts: Array.from({ length: slices }, (_, slice) => ({ atMs: fedMs + takenAtMs(slice), slices: 1 })),
  })
  const short = bodyOf(100, 8, (slice) => slice)
  const grownMs = (slice: number) => Math.max((slice * sliceMs) / 1.5, (slice - 19) * sliceMs)
  return [short, bodyOf(short.answeredMs + 120, 84, grownMs)]
}

interface Shown {
  readonly atMs: number
  readonly bytesPerSecond: number
  readonly etaSeconds: number | null
}

/** What a row would show of it at each look, where a request without a body takes `roundTripMs`. */
function shownOf(bodies: readonly Recorded[], roundTripMs = 0): readonly Shown[] {
  const members = new Set<{ body: SentBody; asked: ReturnType<typeof asking>; isGiven: boolean; isStuck: boolean }>()
  const account = new LineAccount(members)
  account.answers.roundTrip(roundTripMs)
  let nowMs = 0
  let totalBytes = 0
  let moved = 0
  let estimate = startRate(0)
  const asking = (sizeBytes: number) => ({
    sizeBytes,
    rank: 0,
    isReady: () => true,
    onTaken: (bytes: number, overMs = 0) => {
      moved += bytes
      if (overMs > 0) estimate = spreadMoved(estimate, bytes, overMs, nowMs)
    },
    limitBytesPerSecond: () => null,
    mayBeCopied: () => false,
  })
  const events: { readonly atMs: number; readonly happens: () => void }[] = []
  for (const { beganMs, fedMs, answeredMs, bursts } of bodies) {
    const sizeBytes = Math.round(SLICE_BYTES * bursts.reduce((sum, { slices }) => sum + slices, 0))
    const member = { body: new SentBody(sizeBytes, beganMs), asked: asking(sizeBytes), isGiven: false, isStuck: false }
    totalBytes += sizeBytes
    const begins = () => {
      if (members.size === 0) account.begin(nowMs)
      members.add(member)
      account.queued(member.body)
    }
    const takes = (slices: number) => () => {
      for (let left = slices; left > 0; left -= 1) {
        account.handed(member, Math.round(SLICE_BYTES * Math.min(1, left)), nowMs)
        member.body.asked(nowMs)
      }
    }
    const ends = () => {
      members.delete(member)
      account.answered(member, nowMs)
    }
    events.push({ atMs: beganMs, happens: begins }, { atMs: fedMs, happens: () => member.body.asked(nowMs) })
    events.push(...bursts.map(({ atMs, slices }) => ({ atMs, happens: takes(slices) })))
    events.push({ atMs: answeredMs, happens: ends })
  }
  const endMs = Math.max(...bodies.map(({ answeredMs }) => answeredMs))
  const shown: Shown[] = []
  const look = () => {
    if (members.size > 0) account.look(nowMs)
    estimate = sampleRate(estimate, nowMs, moved)
    const { bytesPerSecond } = estimate
    shown.push({ atMs: nowMs, bytesPerSecond, etaSeconds: etaSeconds(estimate, totalBytes - moved) })
  }
  for (let atMs = LOOK_MS; atMs < endMs; atMs += LOOK_MS) events.push({ atMs, happens: look })
  for (const { atMs, happens } of events.sort((one, other) => one.atMs - other.atMs)) {
    nowMs = atMs
    happens()
  }
  return shown
}

// Frames of 1,514 bytes, which the kernel counts, hold 1,448 bytes; the proxy counts what it carries.
test.each([
  ['shaped by the kernel', SHAPED_BY_KERNEL, 7, (1_000_000 * 1448) / 1514, () => 5000],
  ['behind deep buffers', BEHIND_DEEP_BUFFERS, 7, 1_000_000, (first: number) => first + 1000],
  ['of 1 Mbit/s', OF_ONE_MBIT, 4, (ONE_MBIT_BYTES * 1448) / 1514, () => 5000],
])('the rate that is shown of a recorded line %s is within a tenth of it', (_, recorded, count, rate, fromOf) => {
  const bodies = parsed(recorded)
  expect(bodies).toHaveLength(count)
  const fedMs = bodies[0]?.fedMs ?? 0
  const fromMs = fromOf(bodies[0]?.answeredMs ?? 0)
  const untilMs = bodies.at(-1)?.beganMs ?? 0
  const shown = shownOf(bodies).filter(({ atMs }) => atMs >= fedMs + 5000 && atMs >= fromMs && atMs < untilMs)
  expect(shown.length).toBeGreaterThan(100)
  for (const { bytesPerSecond } of shown) {
    expect(bytesPerSecond).toBeGreaterThan(0.9 * rate)
    expect(bytesPerSecond).toBeLessThan(1.1 * rate)
  }
})

test.each([
  ['whose last body began long before the one before it was answered', OF_ONE_MBIT_AGAIN],
  ['that each body has for itself', OF_ONE_MBIT_ALONE],
])('the time left is right to the last seconds of a recorded line of 1 Mbit/s, %s', (_, recorded) => {
  const bodies = parsed(recorded)
  const endMs = Math.max(...bodies.map(({ answeredMs }) => answeredMs))
  const shown = shownOf(bodies).filter(({ atMs }) => atMs >= 10_000 && atMs < endMs - 6000)
  expect(shown.length).toBeGreaterThan(1000)
  for (const { atMs, etaSeconds } of shown) {
    const leftSeconds = (endMs - atMs) / 1000
    expect(Math.abs((etaSeconds ?? Infinity) - leftSeconds) / leftSeconds).toBeLessThan(0.2)
  }
})

/**
 * A short body of which a line of 1 Mbit/s carries the first half slice at once, as shapers let a burst pass, and a large
 * one behind a buffer of 12 slices, beside a third that gets a slice every 4 s or so.
 */
function afterABurst(thirdEveryMs: number): readonly [Recorded, Recorded, Recorded] {
  const lineMs = (SLICE_BYTES * 1000) / ONE_MBIT_BYTES
  const sliceMs = lineMs / (1 - lineMs / thirdEveryMs)
  const slicesAt = (count: number, takenAtMs: (slice: number) => number) =>
    Array.from({ length: count }, (_, slice) => ({ atMs: takenAtMs(slice), slices: 1 }))
  const answeredMs = 100 + 5.5 * lineMs
  const short = { beganMs: 0, fedMs: 100, answeredMs, bursts: slicesAt(6, (slice) => 100 + slice) }
  const takenAtMs = (slice: number) => answeredMs + Math.max(slice, (slice - 12) * sliceMs)
  const large = { beganMs: answeredMs, fedMs: answeredMs, answeredMs: answeredMs + 84 * sliceMs }
  const third = { beganMs: answeredMs + 1000, fedMs: answeredMs + 1000, answeredMs: large.answeredMs + 1000 }
  const slices = Math.max(1, Math.floor((84 * sliceMs) / thirdEveryMs))
  return [
    short,
    { ...large, bursts: slicesAt(84, takenAtMs) },
    { ...third, bursts: slicesAt(slices, (slice) => third.fedMs + slice * Math.min(thirdEveryMs, 1e6)) },
  ]
}

test.each([
  ['alone', Infinity],
  ['beside one that gets a little', 4000],
])('a connection that drains, %s, shows a rate below what a short body told: it does not fall', (_, thirdEveryMs) => {
  const [short, large, third] = afterABurst(thirdEveryMs)
  const bodies = thirdEveryMs === Infinity ? [short, large] : [short, large, third]
  const shown = shownOf(bodies).filter(({ atMs }) => atMs >= short.answeredMs + 1500 && atMs < large.answeredMs - 100)
  expect(shown.length).toBeGreaterThan(400)
  for (const { bytesPerSecond } of shown) {
    expect(bytesPerSecond).toBeGreaterThan(0.9 * ONE_MBIT_BYTES)
    expect(bytesPerSecond).toBeLessThan(1.1 * ONE_MBIT_BYTES)
  }
})

test('what a short body told of a line is shown until a large one is answered, whatever buffers take meanwhile', () => {
  const [short, large] = throughGrowingBuffers() as [Recorded, Recorded]
  const shown = shownOf([short, large]).filter(
    ({ atMs }) => atMs >= short.answeredMs + 1500 && atMs < large.answeredMs - 500,
  )
  expect(shown.length).toBeGreaterThan(100)
  for (const { bytesPerSecond } of shown) {
    expect(bytesPerSecond).toBeGreaterThan(0.9 * TWO_MBIT_BYTES)
    expect(bytesPerSecond).toBeLessThan(1.1 * TWO_MBIT_BYTES)
  }
})

test('when a body that is wholly sent should be there can’t be told before anything was answered', () => {
  const sizeBytes = 32 * SLICE_BYTES
  const asked = {
    ...{ sizeBytes, rank: 0, isReady: () => true, onTaken: () => undefined },
    ...{ limitBytesPerSecond: () => null, mayBeCopied: () => false },
  }
  const member = { body: new SentBody(sizeBytes, 0), asked, isGiven: false, isStuck: false }
  const members = new Set([member])
  const account = new LineAccount(members)
  account.begin(0)
  account.queued(member.body)
  for (let slice = 1; slice <= 32; slice += 1) {
    account.handed(member, SLICE_BYTES, slice * LOOK_MS)
    account.look(slice * LOOK_MS)
    member.body.asked(slice * LOOK_MS)
  }
  for (let atMs = 33 * LOOK_MS; atMs < 60_000; atMs += LOOK_MS) account.look(atMs)
  expect(account.bytesPerSecond).toBeGreaterThan(0)
  expect(account.leftMs(member)).toBeNull()
})

test('two bodies that share a line take twice as long as a lone one, and the line is no slower for that', () => {
  const sizeBytes = 10_000_000
  const asked = {
    ...{ sizeBytes, rank: 0, isReady: () => true, onTaken: () => undefined },
    ...{ limitBytesPerSecond: () => null, mayBeCopied: () => false },
  }
  const members = new Set<{ body: SentBody; asked: typeof asked; isGiven: boolean; isStuck: boolean }>()
  const account = new LineAccount(members)
  let nowMs = 0
  const begin = () => {
    const member = { body: new SentBody(sizeBytes, nowMs), asked, isGiven: false, isStuck: false }
    members.add(member)
    account.queued(member.body)
    account.handed(member, sizeBytes / 2, nowMs)
    return member
  }
  const pass = (untilMs: number) => {
    for (; nowMs < untilMs; nowMs += LOOK_MS) account.look(nowMs)
  }
  const answered = (member: ReturnType<typeof begin>) => {
    members.delete(member)
    account.answered(member, nowMs)
  }
  account.begin(0)
  const first = begin()
  account.handed(first, sizeBytes / 2, 0)
  pass(10_000)
  answered(first)
  // The line carries the next two side by side.
  const [second, third] = [begin(), begin()]
  account.handed(second, sizeBytes / 2, nowMs)
  pass(28_000)
  account.handed(third, sizeBytes / 2, nowMs)
  expect(third.body.lineThen.bytesPerSecond).toBeGreaterThan(900_000)
  pass(30_000)
  answered(second)
  expect(third.body.lineThen.bytesPerSecond).toBeGreaterThan(900_000)
  // All bytes of the second moved while the third had as much of the line.
  expect(account.knownSince(10_000)).toEqual({ bytes: 0, ms: 0 })
  answered(third)
  expect(account.bytesPerSecond).toBeGreaterThan(900_000)
  expect(account.bytesPerSecond).toBeLessThan(1_100_000)
})

/** A body whose connection takes all of it at once, `takenMs`, and which then crosses a line alone. */
function takenAtOnce(askedMs: number, takenMs: number, slices: number, bytesPerSecond: number): Recorded {
  return {
    beganMs: askedMs,
    fedMs: askedMs,
    answeredMs: takenMs + (slices * SLICE_BYTES * 1000) / bytesPerSecond,
    bursts: [{ atMs: takenMs, slices }],
  }
}

test('the time before the first byte of a first body does not count as time of the line', () => {
  const rate = 8 * ONE_MBIT_BYTES
  const short = { ...takenAtOnce(LOOK_MS + 90, LOOK_MS + 91, 8, rate), beganMs: 0 }
  const shown = shownOf([short, takenAtOnce(short.answeredMs + 1, short.answeredMs + 2, 84, rate)])
  const untilAnswer = shown.filter(({ atMs }) => atMs > 2000 && atMs < 5000)
  expect(untilAnswer.length).toBeGreaterThan(0)
  for (const { bytesPerSecond } of untilAnswer) expect(Math.abs(bytesPerSecond / rate - 1)).toBeLessThan(0.05)
})

test('time that one body has counted is not counted again for another that was asked for meanwhile', () => {
  const rate = 4 * ONE_MBIT_BYTES
  const first = takenAtOnce(0, 1, 80, rate)
  const second = takenAtOnce(first.answeredMs - 3000, first.answeredMs + 1, 80, rate)
  const last = takenAtOnce(second.answeredMs + 1, second.answeredMs + 2, 80, rate)
  const afterSecond = shownOf([first, second, last]).filter(
    ({ atMs }) => atMs > second.answeredMs + 1000 && atMs < second.answeredMs + 4000,
  )
  expect(afterSecond.length).toBeGreaterThan(0)
  for (const { bytesPerSecond } of afterSecond) expect(Math.abs(bytesPerSecond / rate - 1)).toBeLessThan(0.05)
})

/** Bodies that begin at these moments and share a line behind deep buffers evenly. */
function sharing(
  line: { readonly bytesPerSecond: number; readonly roundTripMs: number },
  begins: readonly (readonly [atMs: number, slices: number])[],
): readonly Recorded[] {
  const stepMs = 5
  const bodies = begins.map(([beganMs, slices]) => ({
    beganMs,
    slices,
    leftBytes: slices * SLICE_BYTES,
    answeredMs: 0,
  }))
  for (let atMs = 0; bodies.some(({ leftBytes }) => leftBytes > 0); atMs += stepMs) {
    const there = bodies.filter(({ beganMs, leftBytes }) => leftBytes > 0 && beganMs + line.roundTripMs / 2 <= atMs)
    for (const body of there) {
      body.leftBytes -= (line.bytesPerSecond * stepMs) / 1000 / there.length
      body.answeredMs = atMs + line.roundTripMs / 2
    }
  }
  return bodies.map(({ beganMs, slices, answeredMs }) => ({
    ...{ beganMs, fedMs: beganMs, answeredMs },
    bursts: [{ atMs: beganMs + 20, slices }],
  }))
}

test('the time left is right by satellite, though up to five bodies share a line that hides how far each is', () => {
  const line = { bytesPerSecond: 5 * ONE_MBIT_BYTES, roundTripMs: 600 }
  const laterMs = [2900, 9000, 13_500, 20_000, 26_000, 30_000, 42_000]
  const bodies = sharing(line, [[1000, 6], ...laterMs.map((atMs) => [atMs, 91] as const)])
  const endMs = Math.max(...bodies.map(({ answeredMs }) => answeredMs))
  const shown = shownOf(bodies, line.roundTripMs).filter(({ atMs }) => atMs > 15_000 && atMs < endMs - 2000)
  expect(shown.length).toBeGreaterThan(400)
  for (const { atMs, etaSeconds } of shown) {
    const leftSeconds = (endMs - atMs) / 1000
    expect(Math.abs((etaSeconds ?? Infinity) - leftSeconds) / leftSeconds).toBeLessThan(0.2)
  }
})
