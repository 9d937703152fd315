import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Server } from 'node:net'
import { XMLValidator } from 'fast-xml-parser'
import { expect, it, onTestFinished } from 'vitest'
import { idealSeconds, isOut, payloadRate, secondsWithLine } from '../../scripts/bench/lines/line/ideal.mjs'
import { LINE_CLIENTS } from '../../scripts/bench/lines/clients.mjs'
import { planOf } from '../../scripts/bench/lines/plan.mjs'
import { createRandom } from '../../scripts/bench/lines/random.mjs'
import { PROFILES } from '../../scripts/bench/lines/line/profiles.mjs'
import { createWays, startRelay } from '../../scripts/bench/lines/line/relay.mjs'
import { createSharedLink } from '../../scripts/bench/lines/line/shared-link.mjs'
import { plots } from '../../scripts/bench/lines/report/svg.mjs'
import { mark, verdicts } from '../../scripts/bench/lines/report/targets.mjs'
import {
  bytesLost,
  firstConfirmedSeconds,
  rateErrors,
  timeLeftErrors,
} from '../../scripts/bench/lines/report/truth.mjs'

const MIB = 1024 * 1024
const TUNNELS = { everySeconds: 50, lastsSeconds: 20 }

it('knows how long a line takes at best, its headers and outages included', () => {
  expect(idealSeconds(64 * MIB, payloadRate('kernel', 1_000_000))).toBeCloseTo(70.17, 1)
  expect(idealSeconds(64 * MIB, payloadRate('buffers', 1_000_000))).toBeCloseTo(67.11, 1)
  expect(idealSeconds(29e6, 1e6, { outage: TUNNELS })).toBe(29)
  expect(idealSeconds(31e6, 1e6, { outage: TUNNELS, roundTripMs: 500 })).toBe(51.5)
  expect([29.9, 30, 49.9, 50].map((seconds) => isOut(TUNNELS, seconds))).toEqual([false, true, true, false])
  expect([20, 40, 51, 95].map((seconds) => secondsWithLine(TUNNELS, seconds))).toEqual([20, 30, 31, 60])
})

it('carries the bytes of all connections at its rate, each in its turn', () => {
  const link = createSharedLink(100_000)
  const lanes = [link.createLane(), link.createLane()]
  for (const lane of lanes) link.push(lane, Buffer.alloc(1_000_000), 0)
  const carried = lanes.map(() => 0)
  for (let nowMs = 0; nowMs < 1000;) {
    const againAtMs = link.send(nowMs, (lane, bytes) => (carried[lanes.indexOf(lane)]! += bytes.length))
    nowMs = Math.max(againAtMs ?? Infinity, nowMs + 1)
  }
  const sum = carried[0]! + carried[1]!
  expect(Math.abs(sum - 100_000)).toBeLessThan(3000)
  expect(Math.abs(carried[0]! - carried[1]!)).toBeLessThan(1500)
})

it('carries no more of a connection than that may carry, and leaves the rest to others', () => {
  const link = createSharedLink(100_000)
  const lanes = [link.createLane(20_000), link.createLane()]
  for (const lane of lanes) link.push(lane, Buffer.alloc(1_000_000), 0)
  const carried = lanes.map(() => 0)
  for (let nowMs = 0; nowMs < 2000;) {
    const againAtMs = link.send(nowMs, (lane, bytes) => (carried[lanes.indexOf(lane)]! += bytes.length))
    nowMs = Math.max(againAtMs ?? Infinity, nowMs + 1)
  }
  expect(Math.abs(carried[0]! - 40_000)).toBeLessThan(3000)
  expect(Math.abs(carried[1]! - 160_000)).toBeLessThan(6000)
})

it('keeps the order of a connection, and lets others pass one whose receiver takes no more', () => {
  const link = createSharedLink(Infinity)
  const [blocked, other] = [link.createLane(), link.createLane()]
  blocked.isBlocked = true
  link.push(blocked, Buffer.from('a'), 0)
  link.push(other, Buffer.from('b'), 0)
  link.push(other, Buffer.from('c'), 30)
  const texts: string[] = []
  const note = (_: unknown, bytes: Buffer) => void texts.push(String(bytes))
  expect(link.send(0, note)).toBe(30)
  blocked.isBlocked = false
  link.send(30, note)
  expect(texts).toEqual(['b', 'a', 'c'])
})

it('lets nothing pass in an outage, and doesn’t make up for it later', () => {
  const link = createSharedLink(100_000)
  const lane = link.createLane()
  link.push(lane, Buffer.alloc(1_000_000), 0)
  link.setRate(0, 0)
  let carried = 0
  const note = (_: unknown, bytes: Buffer) => void (carried += bytes.length)
  expect(link.send(60_000, note)).toBeNull()
  expect(carried).toBe(0)
  link.setRate(100_000, 60_000)
  for (const nowMs of [60_000, 60_010]) link.send(nowMs, note)
  expect(carried).toBeLessThan(3000)
})

it('takes whatever comes into its buffers, and carries what a client sent that is gone', async () => {
  const received: Buffer[] = []
  const target = createServer((socket) => socket.on('data', (bytes) => received.push(bytes)))
  const ways = createWays({ up: 0, down: 0 })
  const relay = startRelay(await listening(createServer({ allowHalfOpen: true })), ways, {
    targetPort: ((await listening(target)).address() as AddressInfo).port,
  })
  onTestFinished(() => {
    relay.close()
    ways.end()
    target.close()
  })
  const client = connect({ port: relay.port as number, host: '127.0.0.1' }).on('error', () => undefined)
  client.end(Buffer.alloc(8 * MIB, 7))
  await expect.poll(() => relay.bytes('up').taken).toBe(8 * MIB)
  expect(relay.bytes('up').carried).toBe(0)
  ways.setRates({ up: Infinity, down: Infinity })
  await expect.poll(() => Buffer.concat(received).equals(Buffer.alloc(8 * MIB, 7))).toBe(true)
})

it('holds what a client said about itself against the line', () => {
  const said = Array.from({ length: 40 }, (_, second) => ({
    atSeconds: second,
    confirmedBytes: second < 8 ? 0 : second * 100,
    sizeBytes: 4000,
    bytesPerSecond: second === 20 ? 150 : 100,
    etaSeconds: second === 30 ? 5 : 40 - second,
  }))
  expect(firstConfirmedSeconds(said)).toBe(8)
  expect(firstConfirmedSeconds([])).toBeNaN()
  expect(rateErrors(said, 100, 40).largest).toBe(0.5)
  expect(timeLeftErrors(said, 40).largest).toBe(0.5)
  const closing = { atSeconds: 38.5, confirmedBytes: 4000, sizeBytes: 4000, bytesPerSecond: 0 }
  expect(rateErrors([...said, closing], 100, 40).largest).toBe(0.5)
  const untold = said.map((report) => ({ ...report, etaSeconds: undefined, bytesPerSecond: 0 }))
  expect(timeLeftErrors(untold, 40).largest).toBe(1)
})

it('counts as lost what crossed the line and was not there at the next start', () => {
  const run = (confirmedBytes: number, up: number) => ({ said: [{}, { confirmedBytes }], samples: [{ up }] })
  expect(bytesLost([run(0, 35), run(5, 20), run(25, 40)], 'up')).toEqual([30, 0])
  expect(bytesLost([{ said: [], samples: [{ up: 35 }] }, run(5, 20)], 'up')).toEqual([30])
})

it('counts as there what is found in the first seconds of the next start, but not what crosses the line then', () => {
  const first = { said: [{ atSeconds: 1, confirmedBytes: 0 }], samples: [{ atSeconds: 9, down: 35 }] }
  const next = {
    said: [
      { atSeconds: 1, confirmedBytes: 20 },
      { atSeconds: 2, confirmedBytes: 33 },
      { atSeconds: 3, confirmedBytes: 40 },
    ],
    samples: [0, 1, 3, 10].map((down, index) => ({ atSeconds: index + 0.2, down })),
  }
  expect(bytesLost([first, next], 'down')).toEqual([5])
})

it('holds a run to the targets of its line', () => {
  const none = { largest: Number.NaN, mean: Number.NaN }
  const facts = { kind: 'kernel', failure: null, sizeBytes: 100 * MIB, idealSeconds: 100, rate: MIB, lostBytes: [] }
  const whole = { ...facts, scenario: 'whole', rateError: none, timeLeftError: none }
  const judged = (result: object) => verdicts(result).map((verdict) => `${verdict.what} ${mark(verdict)}`)
  expect(
    judged({ ...whole, profile: '8', way: 'down', seconds: 103, lineBytes: 106 * MIB, firstConfirmedSeconds: 2.5 }),
  ).toEqual(['time met', 'bytes **missed**', 'first confirmed byte **missed**'])
  // 100 s of line, and three tunnels: 5 s of line were not used.
  expect(judged({ ...whole, profile: 'train', way: 'up', seconds: 165, lineBytes: 100 * MIB })[0]).toBe(
    'time with line met',
  )
  const stopped = { ...facts, profile: '100-40', way: 'down', scenario: 'kill', lostBytes: [MIB, 3 * MIB] }
  expect(judged(stopped)).toEqual(['lost by a kill **missed**'])
  expect(judged({ ...stopped, failure: 'cut' })).toEqual(['lost by a kill **missed**'])
})

it('plans the same random stops for the same seed, and says who has no part', () => {
  const plan = (seed: number, way: 'up' | 'down' = 'up'): Plan =>
    planOf({
      ...{ profiles: PROFILES.slice(0, 1), kinds: ['kernel'], ways: [way], scenarios: ['kill'] },
      ...{ clients: LINE_CLIENTS, service: 'demo', sizeMiB: null, at: null, times: 6, isQuick: false },
      random: createRandom(seed),
    })
  expect(plan(1)).toEqual(plan(1))
  expect(plan(1)).not.toEqual(plan(2))
  const stops = ({ runs }: Plan) =>
    runs.filter(({ client }) => client.name === 'sluice').map((run) => run.moments.length)
  expect(stops(plan(1, 'down'))).toEqual([4, 2])
  // What buffers held comes later, and can be told from another stop's in a transfer of its own.
  expect(stops(plan(1))).toEqual([1, 1, 1, 1, 1, 1])
  expect(plan(1).absent.map(({ client, why }) => [client.name, why])).toEqual([['aria2c', 'it only downloads']])
})

it('resets a line at other moments in each of four runs, and at the same ones for each client', () => {
  const { runs } = planOf({
    ...{ profiles: PROFILES.filter(({ name }) => name === 'flaky'), kinds: ['kernel'], ways: ['up'] },
    ...{ scenarios: ['whole'], clients: LINE_CLIENTS, service: 'demo', sizeMiB: null, at: null, times: 4 },
    ...{ isQuick: false, random: createRandom(1) },
  }) as Plan
  const of = (name: string) => runs.flatMap(({ client, resetSeed }) => (client.name === name ? [resetSeed] : []))
  expect(new Set(of('sluice')).size).toBe(4)
  expect(of('curl')).toEqual(of('sluice'))
})

it('draws plots whose lines stay inside, whatever their names', () => {
  const points = [0, 1, 2].map((at) => [at, at * 7] as const)
  const panel = { title: 'a < b', unit: 'Mbit/s', limit: 16, series: [{ name: '"x" & y', color: '#123', points }] }
  const svg = plots('1 < 2', [[panel, panel], [panel]])
  expect(XMLValidator.validate(svg)).toBe(true)
  expect(svg.match(/class="series"/g)).toHaveLength(3)
  const heights = [...svg.matchAll(/class="series" stroke="#123" d="M0 150L210 (\S+?)L420 (\S+?)"/g)]
  expect(heights.map(([, middle, end]) => [Number(middle), Number(end)])).toEqual(Array(3).fill([97.5, 45]))
})

interface Plan {
  readonly runs: readonly {
    readonly client: { readonly name: string }
    readonly moments: readonly number[]
    readonly resetSeed: number
  }[]
  readonly absent: readonly { readonly client: { readonly name: string }; readonly why: string | null }[]
}

async function listening(server: Server): Promise<Server> {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return server
}
