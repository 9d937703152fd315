import type { Engine } from '../../../electron/engine/index.ts'
import { done, live, type Living } from '../living.ts'
import type { LineTerms } from './line-draw.ts'
import { CRAWL_MS, MOST_SLOWNESS, START_MS } from './line-rules.ts'
import { movedAtMs, type WayTerms } from './line-terms.ts'
import type { Random } from '../random.ts'
import { settled } from '../timeline.ts'

/** What a world must offer for a life on its line. */
export interface LineWorld extends Living {
  readonly random: Random
  readonly lineTerms: LineTerms
  readonly running: { readonly engine: Engine; readonly isReady: boolean } | null
  readonly account: { userStops(isStopping: boolean): void; endless(): void }
  /** `kill -9`, or a power cut. */
  crash(isPowerCut: boolean): void
  /** The world cuts one connection. */
  resetOne(): void
  /** One connection falls to a crawl for good. */
  slowOne(): void
}

/** A person does no more than this while something is transferred. */
const MOST_ACTS = 3
/** What takes so many times what the line needs, and this besides, has no end (milliseconds). */
const ENDLESS_SLOWNESS = 6
const ENDLESS_START_MS = 120_000
/** Requests of one transfer, each of which waits for the answer to another. */
const QUESTIONS = 10

/**
 * Lives until everything that was begun is over, on a line and a service that are what they are and never lie. A person
 * leaves it alone, or pauses now and then, or the process is killed, or the power cut, now and then.
 * @returns whether everything is over; else there is no end of it.
 */
export async function liveOnLine(world: LineWorld, idealMs: number, begin: () => Promise<unknown>): Promise<boolean> {
  const { random, trace, timeline, account } = world
  await settled()
  await live(world, () => world.running?.isReady === true)
  await done(world, begin(), 'enqueue')
  cutConnections(world)
  const { crawlsAfter } = world.lineTerms
  if (crawlsAfter !== null) timeline.at(crawlsAfter * idealMs, () => world.slowOne())
  const act = random.pick([null, pause, kill] as const)
  for (let acts = act === null ? 0 : 1 + random.below(MOST_ACTS); acts > 0; acts -= 1) {
    await waitMs(world, random.between(0, idealMs / 2), () => isOver(world))
    if (isOver(world)) break
    if (act === pause) trace.note('PAUSE')
    await act?.(world)
  }
  const endlessMs = timeline.nowMs + ENDLESS_START_MS + ENDLESS_SLOWNESS * idealMs
  await live(world, () => isOver(world) || timeline.nowMs > endlessMs)
  if (isOver(world)) return true
  account.endless()
  return false
}

/** What is to be transferred: `files` of so many bytes together, some of them at a time. */
export interface LineWork {
  readonly bytes: number
  readonly files: number
  readonly activeTransfers: number
}

/** The longest that this may take when nothing disturbs it (milliseconds), from now on. */
export function mostMs({ lineTerms, timeline }: LineWorld, way: WayTerms, work: LineWork): number {
  const { bytes, files, activeTransfers } = work
  // Files that wait for their turn ask their questions one after the other.
  const questions = QUESTIONS * Math.ceil(files / activeTransfers)
  const crawlMs = lineTerms.crawlsAfter === null ? 0 : CRAWL_MS
  const startMs = START_MS + crawlMs + questions * (lineTerms.thinkMs + 2 * (way.delayMs + way.jitterMs))
  return MOST_SLOWNESS * idealMs(way, lineTerms, timeline.nowMs, bytes) + startMs
}

/** What a line needs for `bytes` from `fromMs` on (milliseconds). */
export function idealMs(way: WayTerms, { connectionBytesPerSecond }: LineTerms, fromMs: number, bytes: number): number {
  const bytesPerSecond = Math.min(way.bytesPerSecond, connectionBytesPerSecond)
  return movedAtMs({ ...way, bytesPerSecond }, fromMs, bytes) - fromMs
}

function isOver({ running }: LineWorld): boolean {
  if (running?.isReady !== true) return false
  const { rows } = running.engine.snapshot()
  return rows.every(({ status }) => status === 'completed' || status === 'failed')
}

async function pause(world: LineWorld): Promise<void> {
  const { random, account } = world
  const { engine } = world.running as NonNullable<LineWorld['running']>
  account.userStops(true)
  await done(world, engine.pause('all'), 'pause')
  await waitMs(world, random.between(0, 5000))
  await done(world, engine.resume('all'), 'resume')
  account.userStops(false)
}

async function kill(world: LineWorld): Promise<void> {
  world.crash(world.random.chance(0.3))
  await live(world, () => world.running?.isReady === true)
}

/** The world cuts single connections as long as something is transferred. */
function cutConnections(world: LineWorld): void {
  const { resetEveryMs } = world.lineTerms
  if (resetEveryMs === null) return
  const cut = (): void => {
    if (isOver(world)) return
    world.resetOne()
    world.timeline.at(world.random.between(0, 2 * resetEveryMs), cut)
  }
  world.timeline.at(world.random.between(0, 2 * resetEveryMs), cut)
}

/** Lets time pass, until `isEnough` where given. */
async function waitMs(world: LineWorld, delayMs: number, isEnough = (): boolean => false): Promise<void> {
  let isPast = false
  world.timeline.at(delayMs, () => (isPast = true))
  await live(world, () => isPast || isEnough())
}
