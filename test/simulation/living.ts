import { settled, type Timeline, type Trace } from './timeline.ts'

/** A world that takes longer than this for what it should do does not converge. */
const MAX_HEALING_MS = 6 * 3_600_000
/** More than happens in that time: a busy line alone carries something 25 times a second, which then arrives. */
const MAX_EVENTS = 1_500_000

/** What a seed led to. */
export interface SimulationResult {
  readonly traceHash: string
  readonly events: number
  readonly virtualMs: number
}

/**
 * The first seed and the one after the last, of how many, `20000`, or which, `2001-3000`: a slice a process keeps the
 * memory of many in bounds.
 */
export function seedRange(text: string): readonly [number, number] {
  const [first = 0, last] = text.split('-').map(Number)
  return last === undefined ? [0, first] : [first, last + 1]
}

/** Which world, and which test lives through it. */
interface Seed {
  readonly seed: number
  readonly kind: 'download/simulation' | 'upload/upload-simulation'
}

/** What a world needs for time to pass in it. */
export interface Living {
  readonly timeline: Timeline
  readonly trace: Trace
  readonly oracle: { readonly violations: readonly string[]; violated(text: string): void }
}

/** An invariant that did not hold. The message names the seed and how to see it again. */
class SimulationFailure extends Error {
  constructor({ seed, kind }: Seed, text: string, trace: readonly string[]) {
    const again = `SLUICE_SEED=${seed} npx vitest run test/simulation/${kind}`
    super(`Seed ${seed}: ${text}\n  See it with its trace: ${again}${trace.map((line) => `\n  ${line}`).join('')}`)
    this.name = 'SimulationFailure'
  }
}

/** What is wrong with a world at its end, or on its way. */
export class Fault extends Error {}

/** Lives through a world; throws SimulationFailure where anything in it is wrong. */
export async function judge(world: Living, seed: Seed, life: () => Promise<void>): Promise<SimulationResult> {
  const { timeline, trace, oracle } = world
  const onUnhandled = (failure: unknown): void => oracle.violated(`Nobody handled ${stackOf(failure)}`)
  process.on('unhandledRejection', onUnhandled)
  try {
    await life()
    // Node tells of rejections that nobody handled once its event loop turns.
    await new Promise((resolve) => setImmediate(resolve))
    if (oracle.violations.length > 0) throw new Fault(oracle.violations.join('; '))
  } catch (failure) {
    if (failure instanceof Fault) throw new SimulationFailure(seed, failure.message, trace.lines)
    throw failure
  } finally {
    process.off('unhandledRejection', onUnhandled)
  }
  return { traceHash: trace.hash, events: timeline.count, virtualMs: timeline.nowMs }
}

function stackOf(failure: unknown): string {
  return failure instanceof Error ? (failure.stack ?? failure.message) : String(failure)
}

/** Lets the world live until something has settled. */
export async function done(world: Living, promise: Promise<unknown>, what: string): Promise<void> {
  let isDone = false
  promise.then(
    () => (isDone = true),
    (failure: unknown) => world.oracle.violated(`${what} failed: ${String(failure)}`),
  )
  await settled()
  await live(world, () => isDone, what)
}

export async function live(world: Living, isEnough: () => boolean, what = 'the program'): Promise<void> {
  const { timeline, oracle } = world
  const startMs = timeline.nowMs
  while (!isEnough()) {
    if (oracle.violations.length > 0) throw new Fault(oracle.violations.join('; '))
    if (timeline.nowMs - startMs > MAX_HEALING_MS) throw new Fault(`No end of ${what} in ${MAX_HEALING_MS} ms`)
    if (timeline.count > MAX_EVENTS) throw new Fault(`No end of ${what} in ${MAX_EVENTS} events`)
    if (!(await timeline.step())) throw new Fault(`Nothing can happen any more, but ${what} is not at its end`)
  }
}
