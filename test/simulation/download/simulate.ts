import { NO_LIMITS } from '../../../shared/settings.ts'
import { idealMs, liveOnLine, mostMs } from '../line/line-life.ts'
import { done, Fault, judge, live, type SimulationResult } from '../living.ts'
import { User } from './user.ts'
import { World, type Running } from './world.ts'

const MAX_ROUNDS = 4

/**
 * Lives through one seeded world: a person, a disk and a service that misbehave for a while; then all of them heal, and
 * the world must come to rest with every download as its rules demand. Throws SimulationFailure.
 */
export function simulate(seed: number, keepsTrace = false): Promise<SimulationResult> {
  const world = new World(seed, keepsTrace)
  return judge(world, { seed, kind: 'download/simulation' }, async () => {
    const user = new User(world)
    world.boot()
    if (!world.isHonest) await misbehave(world, user)
    else if (!(await transferOnLine(world, user))) return
    await converge(world)
    await checkEnd(world, user)
  })
}

/** On a line that is what it is, to the end. False: there is none. */
async function transferOnLine(world: World, user: User): Promise<boolean> {
  const { service, line, lineTerms, timeline, account, options } = world
  let totalBytes = 0
  for (const { versions } of service.objects.values()) totalBytes += versions[0]?.bytes.length ?? 0
  const work = { bytes: totalBytes, files: service.objects.size, activeTransfers: options.activeTransfers }
  const untilMs = timeline.nowMs + mostMs(world, line.down.terms, work)
  const neededMs = idealMs(line.down.terms, lineTerms, timeline.nowMs, totalBytes)
  const isOver = await liveOnLine(world, neededMs, () => user.enqueueAll())
  if (isOver && lineTerms.resetEveryMs === null) account.finished(totalBytes, untilMs)
  return isOver
}

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
    const sinceMs = Math.min(...user.pendingActions.filter((wish) => wish.key === key).map((wish) => wish.atMs))
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
