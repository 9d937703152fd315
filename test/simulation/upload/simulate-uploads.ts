import type { Engine } from '../../../electron/engine/index.ts'
import { NO_LIMITS } from '../../../shared/settings.ts'
import type { TransferRow } from '../../../shared/transfer/transfer.ts'
import { idealMs, liveOnLine, mostMs } from '../line/line-life.ts'
import { done, Fault, judge, live, type SimulationResult } from '../living.ts'
import { HangingFiles } from './hanging-files.ts'
import type { StoredVersion } from './upload-service.ts'
import { UploadUser } from './upload-user.ts'
import { UploadWorld } from './upload-world.ts'
import { lentLoans } from '../machine/process-memory.ts'

const MAX_ROUNDS = 5
/** Of worlds that are about a line: those with files that hang. */
const HANGING_SHARE = 0.5

/**
 * Lives through one seeded world of uploads: a person, files and a service that misbehave for a while; then all of them
 * heal, and every upload must end, with no object that isn't what it is said to be, and nothing left at the service.
 */
export function simulateUploads(seed: number, keepsTrace = false): Promise<SimulationResult> {
  const world = new UploadWorld(seed, keepsTrace)
  return judge(world, { seed, kind: 'upload/upload-simulation' }, async () => {
    const user = new UploadUser(world)
    world.boot()
    if (!world.isHonest) await misbehave(world, user)
    else if (!(await transferOnLine(world, user))) return
    await converge(world)
    if (!world.isHonest) await uploadAnew(world, user)
    await checkEnd(world)
  })
}

/** On a line that is what it is, to the end. False: there is none. */
async function transferOnLine(world: UploadWorld, user: UploadUser): Promise<boolean> {
  const { sources, disk, line, lineTerms, timeline, account, options, random } = world
  let totalBytes = 0
  for (const path of sources.paths) totalBytes += disk.file(path)?.bytes.length ?? 0
  const work = { bytes: totalBytes, files: sources.paths.length, activeTransfers: options.activeTransfers }
  const untilMs = timeline.nowMs + mostMs(world, line.up.terms, work)
  const neededMs = idealMs(line.up.terms, lineTerms, timeline.nowMs, totalBytes)
  const hanging = random.chance(HANGING_SHARE) ? new HangingFiles(world, work, untilMs) : null
  if (hanging !== null) timeline.at(random.next() * neededMs, () => hanging.begin())
  const isOver = await liveOnLine(world, neededMs, () => user.enqueueAll())
  if (isOver && lineTerms.resetEveryMs === null) account.finished(totalBytes, hanging?.untilMs ?? untilMs)
  return isOver
}

async function misbehave(world: UploadWorld, user: UploadUser): Promise<void> {
  const { random, timeline } = world
  const endMs = random.between(2000, 90_000)
  const pauseMs = random.pick([300, 1000, 5000])
  const act = (): void => {
    if (timeline.nowMs > endMs) return
    user.act()
    timeline.at(random.between(0, 2 * pauseMs), act)
  }
  timeline.at(50, () => {
    user.enqueue()
    act()
  })
  await live(world, () => timeline.nowMs > endMs)
}

/** Nothing fails from now on; whoever needs a person gets one. */
async function converge(world: UploadWorld): Promise<void> {
  world.trace.note('HEAL')
  world.faults.heal()
  world.service.hasTwins = false
  world.isKilledAtAborts = false
  world.sources.heal()
  world.oracle.healed()
  const engine = await ready(world)
  world.configure({ limits: NO_LIMITS })
  engine.wake()
  for (let round = 1; ; round += 1) {
    await done(world, engine.resume('all'), 'resume')
    await done(world, engine.retry('all'), 'retry')
    await done(world, engine.idle(), 'idle')
    const rows = engine.snapshot().rows
    const odd = rows.filter(({ status }) => status !== 'completed' && status !== 'canceled' && status !== 'failed')
    if (odd.length > 0) throw new Fault(`At rest as ${told(odd)}`)
    const failed = rows.filter(({ status }) => status === 'failed')
    if (failed.length === 0) return
    world.trace.note(told(failed))
    if (round === MAX_ROUNDS) throw new Fault(`Healed, and yet ${told(failed)}`)
    if (failed.some(({ error }) => error === null || error.code === 'internal')) world.trace.note('internal')
    if (round === 1) continue
    await done(world, engine.startOver(failed.map((row) => row.id)), 'startOver')
  }
}

/** What is through is started over once its file is another: its key then has had the new file, or still has the old. */
async function uploadAnew(world: UploadWorld, user: UploadUser): Promise<void> {
  const { service, disk, timeline } = world
  const engine = await ready(world)
  const uploaded = engine.snapshot().rows.filter(({ status }) => status === 'completed')
  const sinceMs = timeline.nowMs
  await done(world, user.startOverChanged(engine, uploaded), 'startOver')
  await done(world, engine.idle(), 'idle')
  for (const key of new Set(uploaded.map((row) => row.key))) {
    const sent = engine.snapshot().rows.filter((row) => row.key === key && row.status === 'completed')
    const made = (service.versions.get(key) ?? []).filter(({ atMs }) => atMs >= sinceMs)
    const isNew = ({ bytes }: StoredVersion): boolean =>
      sent.some(({ localPath }) => disk.file(localPath)?.bytes.equals(bytes) === true)
    if (sent.length > 0 && !made.some(isNew)) throw new Fault(`${key} is completed, and never was its new file`)
    // What was sent before may arrive only now.
    const old = (service.versions.get(key) ?? []).filter(({ atMs }) => atMs < sinceMs)
    const isOld = (version: StoredVersion): boolean => old.some(({ bytes }) => bytes.equals(version.bytes))
    const last = made.at(-1)
    if (sent.length === 0 && last !== undefined && !isOld(last)) {
      throw new Fault(`${key} failed, and is not what it was`)
    }
  }
  await converge(world)
}

function told(rows: readonly TransferRow[]): string {
  return rows.map((row) => `${row.key} ${row.status} with ${row.error?.code}: ${row.error?.detail}`).join('; ')
}

/** Once the list is empty and the program was started anew, nothing that it began is left at the service. */
async function checkEnd(world: UploadWorld): Promise<void> {
  const { engine } = world.running as NonNullable<UploadWorld['running']>
  await done(world, engine.remove('all'), 'remove')
  await done(world, engine.close(), 'close')
  checkClosed(world)
  world.closed()
  const last = await ready(world)
  await done(world, last.idle(), 'idle')
  await done(world, last.close(), 'close')
  checkClosed(world)
  if (world.database.aborts.size > 0)
    throw new Fault(`Still to be aborted: ${[...world.database.aborts.keys()].join()}`)
  const mixed = world.oracle.mixed()
  if (mixed.length > 0) throw new Fault(`No file ever was what is at ${mixed.join()}`)
  const left = world.oracle.leftBehind()
  if (left.length > 0) throw new Fault(`Left at the service: ${left.join()}`)
}

function checkClosed({ running }: UploadWorld): void {
  const open = running?.fileSystem.openHandles ?? 0
  if (open > 0) throw new Fault(`${open} files are still open`)
  const lent = lentLoans()
  if (lent > 0) throw new Fault(`${lent} bodies that are over still hold memory`)
}

async function ready(world: UploadWorld): Promise<Engine> {
  await live(world, () => world.running?.isReady === true)
  return (world.running as NonNullable<UploadWorld['running']>).engine
}
