import type { Spell, WayTerms } from './line-terms.ts'
import type { Random } from '../random.ts'

/** A line and the service at its end, for everything that one world transfers. */
export interface LineTerms {
  /** For the trace. */
  readonly name: string
  readonly up: WayTerms
  readonly down: WayTerms
  /** The service's own time before it answers, milliseconds at most. */
  readonly thinkMs: number
  /** What the service takes or gives on one connection, bytes a second; Infinity: whatever the line carries. */
  readonly connectionBytesPerSecond: number
  /** Single connections are cut about this often, milliseconds; null: never. */
  readonly resetEveryMs: number | null
  /** After this share of the time that the line needs a single connection falls to a crawl for good; null: none does. */
  readonly crawlsAfter: number | null
}

/** A kind of line that people have: Mbit/s each way, milliseconds from end to end. */
interface Profile {
  readonly name: string
  readonly down: number
  readonly up: number
  readonly delayMs: number
  readonly spell?: Spell
}

/** Beyond this a line is as fast as the machine for these worlds (Mbit/s). */
const LOOPBACK = 10_000

const SLOW: readonly Profile[] = [
  { name: '2/2', down: 2, up: 2, delayMs: 20 },
  { name: '8/8', down: 8, up: 8, delayMs: 15 },
  { name: '16/1', down: 16, up: 1, delayMs: 15 },
  { name: '50/10, stalls', down: 50, up: 10, delayMs: 40, spell: { everyMs: 20_000, lastsMs: 3000, share: 0 } },
  { name: 'train', down: 30, up: 10, delayMs: 40, spell: { everyMs: 50_000, lastsMs: 20_000, share: 0 } },
  { name: 'neighbor', down: 16, up: 4, delayMs: 15, spell: { everyMs: 12_000, lastsMs: 6000, share: 0.5 } },
  { name: 'satellite', down: 50, up: 5, delayMs: 300 },
]
const FAST: readonly Profile[] = [
  { name: '100/40', down: 100, up: 40, delayMs: 10 },
  { name: '1000/1000', down: 1000, up: 1000, delayMs: 2.5 },
  { name: 'loopback', down: LOOPBACK, up: LOOPBACK, delayMs: 0 },
]
const PROFILES: readonly Profile[] = [...SLOW, ...SLOW, ...FAST]

const LONG_DELAY_MS = 100

/** Buffers of one connection: those of a system, or a proxy's (bytes). */
const SHALLOW_BYTES = [64 * 1024, 256 * 1024]
const DEEP_BYTES = [4 * 1024 * 1024, 64 * 1024 * 1024]
/** A file that goes in one request. */
const LARGEST_BODY_BYTES = 16 * 1024 * 1024
/** What routers hold of all bodies that come down, in seconds of the line. */
const DOWN_BUFFER_SECONDS = [0.05, 0.3, 2]

/**
 * Draws a line for a world in which everything is `scale` times smaller. Where much else goes wrong (`isHonest` false),
 * it is one on which requests come soon after they left.
 */
export function drawLine(random: Random, scale: number, isHonest: boolean): LineTerms {
  const profile = random.pick(PROFILES.filter(({ delayMs }) => isHonest || delayMs < LONG_DELAY_MS))
  const isDeep = isHonest && random.chance(0.5)
  const order = random.pick(['fair', 'fifo'] as const)
  const jitterMs = random.pick([0, profile.delayMs])
  const upBufferBytes = Math.ceil(random.pick(isDeep ? DEEP_BYTES : SHALLOW_BYTES) / scale)
  const downSeconds = random.pick(isHonest ? DOWN_BUFFER_SECONDS : DOWN_BUFFER_SECONDS.slice(0, 1))
  const thinkMs = random.pick([5, 5, 200, 2000])
  const isSlowPerConnection = random.chance(0.15)
  const isReset = random.chance(0.2)
  const resetEveryMs = random.pick([5000, 20_000])
  const spells = profile.spell === undefined ? [] : [profile.spell]
  const way = (
    megabits: number,
    isBufferShared: boolean,
    bufferBytes: (bytesPerSecond: number) => number,
  ): WayTerms => {
    const bytesPerSecond = (megabits * 1e6) / 8 / scale
    return {
      bytesPerSecond,
      delayMs: profile.delayMs,
      jitterMs,
      bufferBytes: bufferBytes(bytesPerSecond),
      isBufferShared,
      order,
      spells,
    }
  }
  const up = way(profile.up, false, () => upBufferBytes)
  const down = way(profile.down, true, (bytesPerSecond) => Math.ceil(downSeconds * bytesPerSecond))
  const crawlsAfter = isHonest && random.chance(0.3) ? random.next() : null
  // However unlucky, each body comes through before long.
  const largestBodyMs = (LARGEST_BODY_BYTES * 1000) / scale / Math.min(up.bytesPerSecond, down.bytesPerSecond)
  const resetMs = isReset ? Math.ceil(Math.max(resetEveryMs, 4 * largestBodyMs)) : null
  const told = [
    profile.name,
    order,
    `${upBufferBytes} bytes of buffer up`,
    `${downSeconds} s of buffer down`,
    `up to ${thinkMs} ms of thought`,
    isSlowPerConnection ? 'slow connections' : null,
    resetMs === null ? null : `a reset every ${resetMs} ms`,
    crawlsAfter === null ? null : 'a connection that falls',
  ]
  return {
    name: told.filter((each) => each !== null).join(', '),
    up,
    down,
    thinkMs,
    connectionBytesPerSecond: isSlowPerConnection ? Math.max(up.bytesPerSecond, down.bytesPerSecond) / 4 : Infinity,
    resetEveryMs: resetMs,
    crawlsAfter,
  }
}

/** As fast as the machine. */
export const LOOPBACK_LINE: LineTerms = {
  name: 'loopback',
  up: {
    bytesPerSecond: 1e7,
    delayMs: 0,
    jitterMs: 0,
    bufferBytes: 2048,
    isBufferShared: false,
    order: 'fair',
    spells: [],
  },
  down: {
    bytesPerSecond: 1e7,
    delayMs: 0,
    jitterMs: 0,
    bufferBytes: 0,
    isBufferShared: false,
    order: 'fair',
    spells: [],
  },
  thinkMs: 300,
  connectionBytesPerSecond: Infinity,
  resetEveryMs: null,
  crawlsAfter: null,
}
