import { NO_LIMITS } from '../../shared/settings.ts'
import { settled } from './timeline.ts'
import { User } from './user.ts'
import { World, type Running } from './world.ts'

/** A world that takes longer than this for what it should do does not converge. */
const MAX_HEALING_MS = 6 * 3_600_000
const MAX_EVENTS = 300_000
const MAX_ROUNDS = 4

/** What a seed led to. */
export interface SimulationResult {
  readonly traceHash: string
  readonly events: number
  readonly virtualMs: number
}

/** An invariant that did not hold. The message names the seed and how to see it again. */
export class SimulationFailure extends Error {
  constructor(seed: number, text: string, trace: readonly string[]) {
    const again = `SLUICE_SEED=${seed} npx vitest run --project unit test/simulation`
    super(`Seed ${seed}: ${text}\n  See it with its trace: ${again}${trace.map((line) => `\n  ${line}`).join('')}`)
    this.name = 'SimulationFailure'
  }
}

/**
 * Lives through one seeded world: a person, a disk and a service that misbehave for a while; then all of them heal, and
 * the world must come to rest with every download as its rules demand. Throws SimulationFailure.
 */
export async function simulate(seed: number, keepsTrace = false): Promise<SimulationResult> {
  const world = new World(seed, keepsTrace)
  const { timeline, trace, oracle } = world
  const onUnhandled = (failure: unknown): void => oracle.violated(`Nobody handled ${stackOf(failure)}`)
  process.on('unhandledRejection', onUnhandled)
  try {
    const user = new User(world)
    world.boot()
    await misbehave(world, user)
    await converge(world)
    await checkEnd(world, user)
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

class Fault extends Error {}

async function misbehave(world: World, user: User): Promise<void> {
  const { random, timeline } = world
  const endMs = random.between(2000, 90_000)
  const pauseMs = random.pick([300, 1000, 5000])
  const act = (): void => {
    if (timeline.nowMs > endMs) return
    user.act()
    if (world.running?.isReady === true) world.oracle.observe(world.running.engine)
    timeline.at(random.between(0, 2 * pauseMs), act)
  }
  timeline.at(50, () => {
    user.enqueue()
    act()
  })
  await live(world, () => timeline.nowMs > endMs)
}

/** Nothing fails from now on; whoever needs a person gets one. */
async function converge(world: World): Promise<void> {
  world.trace.note('HEAL')
  world.faults.heal()
  await live(world, () => world.running?.isReady === true)
  world.configure({ limits: NO_LIMITS })
  const { engine } = world.running as Running
  engine.wake()
  for (let round = 1; ; round += 1) {
    await done(world, engine.resume('all'), 'resume')
    await done(world, engine.retry('all'), 'retry')
    await done(world, engine.idle(), 'idle')
    world.oracle.observe(engine)
    const failed = engine
      .snapshot()
      .rows.filter(({ status, error }) => status === 'failed' && error?.code !== 'target-exists')
    if (failed.length === 0) return
    const text = failed.map((row) => `${row.key} failed with ${row.error?.code}: ${row.error?.detail}`).join('; ')
    world.trace.note(text)
    if (round === MAX_ROUNDS) throw new Fault(`Healed, and yet ${text}`)
    const ids = failed.map((row) => row.id)
    if (round === 1) continue
    world.oracle.beginAnew(ids)
    await done(world, engine.startOver(ids), 'startOver')
  }
}

async function checkEnd(world: World, user: User): Promise<void> {
  const { engine, store, fileSystem } = world.running as Running
  const { disk, oracle } = world
  const { rows } = engine.snapshot()
  for (const { status, key, localPath } of rows) {
    if (status === 'canceled' || status === 'failed') continue
    if (status !== 'completed') throw new Fault(`${key} is at rest as ${status}`)
    const file = disk.file(localPath)
    const sinceMs = Math.min(...user.wishes.filter((wish) => wish.key === key).map((wish) => wish.atMs))
    const versions = file === null ? [] : oracle.versionsOf(file.bytes, key)
    const isCurrent = versions.some(({ replacedAtMs }) => replacedAtMs === null || replacedAtMs >= sinceMs)
    // Another download may have been told to replace this one's file.
    if (!isCurrent && !oracle.replaceable.has(localPath)) throw new Fault(`${localPath} is not what ${key} was`)
  }
  if (store.openBodies > 0) throw new Fault(`${store.openBodies} answers were neither read nor left`)
  await done(world, engine.remove('all'), 'remove')
  await done(world, engine.close(), 'close')
  oracle.checkNames()
  const left = oracle.leftBehind()
  if (left.length > 0) throw new Fault(`Left behind: ${left.join()}`)
  if (fileSystem.openHandles > 0) throw new Fault(`${fileSystem.openHandles} files are still open`)
}

/** Lets the world live until something has settled. */
async function done(world: World, promise: Promise<unknown>, what: string): Promise<void> {
  let isDone = false
  promise.then(
    () => (isDone = true),
    (failure: unknown) => world.oracle.violated(`${what} failed: ${String(failure)}`),
  )
  await settled()
  await live(world, () => isDone, what)
}

async function live(world: World, isEnough: () => boolean, what = 'the program'): Promise<void> {
  const { timeline, oracle } = world
  const startMs = timeline.nowMs
  while (!isEnough()) {
    if (oracle.violations.length > 0) throw new Fault(oracle.violations.join('; '))
    if (timeline.nowMs - startMs > MAX_HEALING_MS) throw new Fault(`No end of ${what} in ${MAX_HEALING_MS} ms`)
    if (timeline.count > MAX_EVENTS) throw new Fault(`No end of ${what} in ${MAX_EVENTS} events`)
    if (!(await timeline.step())) throw new Fault(`Nothing can happen any more, but ${what} is not at its end`)
  }
}
