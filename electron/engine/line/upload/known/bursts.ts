/** Between two ends of bursts this far apart lies what the connection drained (milliseconds). */
const BURSTS_MS = 700
/** Buffers grow ever less: a pace over at least this long is an upper limit of the line's (milliseconds). */
const LATE_MS = 4000
/** At this many bursts, every second one is forgotten. */
const MOST_BURSTS = 128

/** The end of a burst. */
interface BurstEnd {
  /** When the last of its bytes were taken, monotonic milliseconds. */
  readonly atMs: number
  /** Bytes of the body that the connection had taken by then. */
  readonly handedBytes: number
}

interface Burst extends BurstEnd {
  /** `handedBytes` plus what other connections took meanwhile. */
  readonly allBytes: number
}

/** A full connection makes room in bursts, whose ends show the pace at which it drains. Bytes a second; no effects. */
export class Bursts {
  /** The complete ones, oldest first. */
  #all: Burst[] = []
  /** What the connections of other bodies took meanwhile. */
  #besideBytes = 0
  /** The current burst began while other bodies moved, too. */
  #isShared = false

  /** The connection takes more. @param ended the burst before that, if that is what ended it; null if it goes on. */
  moved(ended: BurstEnd | null): void {
    if (this.#isShared) this.#isShared = false
    else if (ended !== null) {
      if (this.#all.length >= MOST_BURSTS) this.#all = this.#all.filter((_, index) => index % 2 === 0)
      this.#all.push({ ...ended, allBytes: ended.handedBytes + this.#besideBytes })
    }
  }

  /** The connection of another body took this many bytes. */
  tookBeside(bytes: number): void {
    this.#besideBytes += bytes
  }

  /** Other bodies moved too, so what this connection took until now was only a share. */
  shared(): void {
    this.#all = []
    this.#isShared = true
  }

  /** The connection is no longer full. */
  clear(): void {
    this.#all = []
  }

  /** The pace from burst to burst; null while that can't be told. */
  get steadyPace(): number | null {
    return paceBetween(this.#all[0], this.#all.at(-1), 'handedBytes', BURSTS_MS)
  }

  /**
   * The pace over the later half of the bursts, with the little that other bodies got. Buffers may still grow, so it is
   * an upper limit of the line's; null while that can't be told.
   */
  get latePace(): number | null {
    const [first] = this.#all
    const [before, last] = this.#all.slice(-2)
    if (first === undefined || before === undefined || last === undefined) return null
    const middle = this.#all.findLast(({ atMs }) => atMs <= (first.atMs + last.atMs) / 2)
    const toLast = paceBetween(middle, last, 'allBytes', LATE_MS)
    const toBefore = paceBetween(middle, before, 'allBytes', LATE_MS)
    // The latest burst may still be going on.
    return toLast === null || toBefore === null ? null : Math.max(toLast, toBefore)
  }
}

function paceBetween(
  from: Burst | undefined,
  to: Burst | undefined,
  of: 'handedBytes' | 'allBytes',
  leastMs: number,
): number | null {
  if (from === undefined || to === undefined || to.atMs - from.atMs < leastMs) return null
  return ((to[of] - from[of]) * 1000) / (to.atMs - from.atMs)
}
