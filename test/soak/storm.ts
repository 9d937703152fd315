import { writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { MIB } from '../../shared/limits.ts'
import type { Random } from '../simulation/random.ts'
import type { FaultRule, RequestMatch } from '../support/fault-server/fault-rules.ts'
import type { FaultProxy } from '../support/fault-server/fault-server.ts'
import type { SmallVolume } from './small-volume.ts'
import type { SoakedApp } from './soaked-app.ts'
import type { SoakedCli } from './soaked-cli.ts'

/** What a storm reaches. */
export interface StormWorld {
  readonly proxy: FaultProxy
  /** Null: it can't be had here. */
  readonly volume: SmallVolume | null
  /** See `followClock`. */
  readonly clockFile: string
  readonly commandLines: readonly SoakedCli[]
  /** The one that is killed; the other one's memory is measured. */
  readonly mortal: SoakedApp
}

/** Carries one fault out to its end. @returns how often it really happened. */
type Fault = (world: StormWorld, random: Random) => Promise<number>

const DAY_MS = 24 * 60 * 60 * 1000
/**
 * Between two faults so much is transferred, or so much time passes: a busy machine is not left without any progress.
 */
const MOST_BETWEEN_BYTES = 8 * MIB
const MOST_BETWEEN_MS = 12_000
const LOOK_MS = 300
/** Time for requests that a rule waits for, milliseconds. */
const RULE_MS = 4000
const AT_A_TIME = 3
/** Where the bytes of objects are. */
const SENDING: RequestMatch = { method: 'PUT', path: '/round-' }
const RECEIVING: RequestMatch = { method: 'GET', path: '/round-', query: { uploadId: false } }
/**
 * What is wrong with these their ETags show. An ETag of several parts leaves a file at “size checked only” where the
 * service doesn’t tell how it was cut, as that of a soak doesn’t: a wrong byte can’t be told from another cut then.
 */
const PROVEN: RequestMatch = { ...RECEIVING, path: /\/(small\.bin|many\/)/ }

const FAULTS = {
  'cut while sending': (world, random) =>
    byRule(world, {
      when: SENDING,
      times: 1 + random.below(3),
      fault: { kind: 'reset', at: { requestBytes: random.below(4 * MIB) } },
    }),
  'cut while receiving': (world, random) =>
    byRule(world, {
      when: RECEIVING,
      times: 1 + random.below(3),
      fault: { kind: 'reset', at: { responseBytes: random.below(2 * MIB) } },
    }),
  stall: (world, random) => {
    const until = sleep(random.between(500, 15_000))
    const where = random.pick([
      { when: SENDING, at: { requestBytes: random.below(MIB) } },
      { when: RECEIVING, at: { responseBytes: random.below(MIB) } },
      { when: {}, at: 'response' },
    ] as const)
    return byRule(world, { when: where.when, times: 4, fault: { kind: 'stall', at: where.at, until } })
  },
  outage: async ({ proxy }, random) => {
    const back = await proxy.down()
    await sleep(random.between(300, 6000))
    await back()
    return 1
  },
  'busy service': (world) =>
    byRule(world, { times: 3, fault: { kind: 'response', status: 503, headers: { 'retry-after': '1' } } }),
  'lost response': (world, random) =>
    byRule(world, {
      when: { method: random.pick(['PUT', 'POST']) },
      times: 1,
      fault: { kind: 'drop-response' },
    }),
  'damaged answer': (world, random) =>
    byRule(world, {
      when: PROVEN,
      // The same wrong bytes twice would be what the service has.
      times: 1,
      fault: { kind: 'corrupt', responseByte: random.below(4096) },
    }),
  'slow line': (world, random) =>
    byRule(world, {
      when: { path: '/round-' },
      times: 4,
      fault: { kind: 'limit', bytesPerSecond: random.between(100_000, MIB) },
    }),
  'full disk': async ({ volume }, random) => {
    if (volume === null) return 0
    await volume.fill()
    await sleep(random.between(300, 4000))
    await volume.free()
    return 1
  },
  'clock a day back': async ({ clockFile }, random) => {
    await writeFile(clockFile, String(-DAY_MS))
    await sleep(random.between(1000, 8000))
    await writeFile(clockFile, '0')
    return 1
  },
  'killed command line': async ({ commandLines }, random) => {
    const first = random.below(commandLines.length)
    const inTurn = [...commandLines.slice(first), ...commandLines.slice(0, first)]
    return Number(inTurn.some((each) => each.kill()))
  },
  'killed app': async ({ mortal }, random) => Number(random.chance(0.5) && (await mortal.kill())),
} as const satisfies Record<string, Fault>

export type FaultName = keyof typeof FAULTS
export const FAULT_NAMES = Object.keys(FAULTS) as FaultName[]

/**
 * One fault after the other, a few at a time, in the order and of the measure that `random` determines, until the
 * signal ends. Each ends before this resolves. @returns how often each happened.
 */
export async function runStorm(
  world: StormWorld,
  random: Random,
  signal: AbortSignal,
): Promise<Record<FaultName, number>> {
  const counts = Object.fromEntries(FAULT_NAMES.map((name) => [name, 0])) as Record<FaultName, number>
  const underWay = new Map<FaultName, Promise<void>>()
  while (!signal.aborted) {
    await untilMoved(world.proxy, random.next())
    const name = random.pick(FAULT_NAMES)
    if (underWay.has(name)) continue
    const fault = FAULTS[name](world, random).then((hits) => void (counts[name] += hits))
    underWay.set(
      name,
      fault.finally(() => underWay.delete(name)),
    )
    if (underWay.size >= AT_A_TIME) await Promise.race(underWay.values())
  }
  await Promise.all(underWay.values())
  return counts
}

async function byRule({ proxy }: StormWorld, rule: FaultRule): Promise<number> {
  const handle = proxy.rule(rule)
  await sleep(RULE_MS)
  handle.remove()
  return handle.hits
}

/** Resolves after this share of what may lie between two faults. */
async function untilMoved({ log }: FaultProxy, share: number): Promise<void> {
  const movedBytes = () => log.reduce((sum, { requestBytes, responseBytes }) => sum + requestBytes + responseBytes, 0)
  const endBytes = movedBytes() + share * MOST_BETWEEN_BYTES
  for (const endMs = performance.now() + share * MOST_BETWEEN_MS; performance.now() < endMs;) {
    await sleep(LOOK_MS)
    if (movedBytes() >= endBytes) return
  }
}
