import type { Clock } from './deps.ts'

/** The body of one request that is to be sent. */
export interface BodyToSend {
  readonly sizeBytes: number
  /** Lower ranks go first, whenever they come. */
  readonly rank: number
  /** Whether its owner can begin it now. The owner calls `reconsider` when that becomes true. */
  readonly isReady: () => boolean
  /**
   * Called with how many more bytes the other side is assumed to have; negative if they turn out to be fewer. `overMs`:
   * the bytes moved unseen over this many milliseconds until now; Infinity if nobody knows when, so that the rate stays.
   */
  readonly onTaken: (bytes: number, overMs?: number) => void
  /** The bandwidth limit that holds it back at present; null if none does. */
  readonly limitBytesPerSecond: () => number | null
  /**
   * Whether this many of its bytes may be sent again although they may still move, because a copy would be sooner.
   * `isFree`: nothing else is on its way, so the copy holds up no other body.
   */
  readonly mayBeCopied: (bytes: number, isFree: boolean) => boolean
}

/** A body that has its turn. Calls are cheap and never throw. */
export interface Sending {
  /** Waits until the connection may be given `bytes` more; null: it may at once. Rejects with `signal.reason`. */
  turn(bytes: number, signal: AbortSignal): Promise<void> | null
  /** The body has more to send, but a bandwidth limit holds it back until `until` settles. Settles the same way. */
  heldBack(until: Promise<void>): Promise<void>
  /** How much to give to the connection at a time (bytes): little where others may have to go first. */
  readonly sliceBytes: number
  /** The connection took this many more bytes. */
  handed(bytes: number): void
  /** The service has answered, so it has all of the body. */
  answered(): void
  /** Whether the body was answered or ended. */
  readonly isOver: boolean
  /** Whether it has long been waiting for its file or for a connection to be made; it holds up no other body. */
  readonly isStarved: boolean
  /** How many bytes the connection took. */
  readonly handedBytes: number
  /** Milliseconds until the service should have all of it; null if that can't be told. */
  readonly leftMs: number | null
  /** Aborted with a LateResponse when the body stands still or crawls and nothing explains why. */
  readonly late: AbortSignal
  /** Ends the body, whatever became of it. May be called more than once. */
  end(): void
}

/** The line that all uploads to one host share: which bodies may be on it, and how fast they move. */
export interface UploadLine {
  /** Waits until a body may begin. Rejects with `signal.reason` when aborted. */
  enter(body: BodyToSend, signal: AbortSignal): Promise<Sending>
  /** The rate of the line, bytes a second; null if unknown. */
  readonly bytesPerSecond: number | null
  /** How many large bodies move at a time. */
  readonly width: number
  /** How many are known to pay. */
  readonly provenWidth: number
  /** The shortest recent time to the answer of a request without a body, milliseconds; 0 if unknown. */
  readonly roundTripMs: number
  /** A request without a body, on a connection that already existed, was answered after `ms` milliseconds. */
  roundTrip(ms: number): void
  /** Lets bodies begin that have become ready. */
  reconsider(): void
  /** The service answered 429, 503 or SlowDown. */
  refused(): void
  /** A connection could not be made, or broke before it took anything. */
  failed(): void
}

export interface UploadLineDeps {
  readonly clock: Clock
  readonly isSaturated: (lateMs: number) => boolean
  /** A fixed number of bodies at a time, whatever the line carries; null: as many as pay. */
  readonly fixedWidth: number | null
}
