import type { Clock } from './deps.ts'

/** What is to be sent in one request. */
export interface BodyToSend {
  readonly sizeBytes: number
  /** Lower ones go first, whenever they come. */
  readonly rank: number
  /** Its owner can begin it now; it calls `reconsider` when that becomes true. */
  readonly isReady: () => boolean
  /**
   * Told how many bytes more the other side is taken to have; negative when that turns out to be less. `overMs`: they
   * moved in so many milliseconds, unseen until now.
   */
  readonly onTaken: (bytes: number, overMs?: number) => void
  /** The bandwidth limit that holds it back at present; null: none. */
  readonly limitBytesPerSecond: () => number | null
  /** May so many bytes of it be sent a second time though they may still move, because others overtook it? */
  readonly mayBeCopied: (bytes: number) => boolean
}

/** A body that has its turn. Calls are cheap and never throw. */
export interface Sending {
  /** Waits until so many bytes more may be given to the connection; null: at once. Rejects with `signal.reason`. */
  turn(bytes: number, signal: AbortSignal): Promise<void> | null
  /** It has more to give, and a bandwidth limit holds it back until that settles. Settles as that does. */
  heldBack(until: Promise<void>): Promise<void>
  /** How much of it to give at a time (bytes): little where others may have to go first. */
  readonly sliceBytes: number
  /** The connection took so many more bytes. */
  handed(bytes: number): void
  /** The service has all of it. */
  answered(): void
  /** It is answered or over. */
  readonly isOver: boolean
  /** It has waited for long for its file, or for a connection that is being made, and holds up no other. */
  readonly isStarved: boolean
  /** What the connection took of it. */
  readonly handedBytes: number
  /** Milliseconds until the service should have all of it; null: that can't be told. */
  readonly leftMs: number | null
  /** Aborted with a LateResponse when nothing explains any more why it stands still. */
  readonly late: AbortSignal
  /** It is over, one way or the other. May be called again. */
  end(): void
}

/** The way of all uploads to one host: which bodies may be on it, and how fast they move. */
export interface UploadLine {
  /** Waits for the turn of a body. Rejects with `signal.reason` when aborted. */
  enter(body: BodyToSend, signal: AbortSignal): Promise<Sending>
  /** What the service takes, bytes a second; null: unknown. */
  readonly bytesPerSecond: number | null
  /** So many large bodies move at a time. */
  readonly width: number
  /** So many are known to pay. */
  readonly provenWidth: number
  /** From a request without a body to its answer, the least of late, milliseconds; 0: unknown. */
  readonly roundTripMs: number
  /** A request without a body was answered after so long, milliseconds; no connection had to be made for it. */
  roundTrip(ms: number): void
  /** Lets those begin that have become ready. */
  reconsider(): void
  /** 429, 503 or SlowDown. */
  refused(): void
  /** No connection, or one that broke before it took anything. */
  failed(): void
}

export interface UploadLineDeps {
  readonly clock: Clock
  readonly isSaturated: (lateMs: number) => boolean
  /** So many bodies at a time, whatever the line takes; null: as many as pay. */
  readonly fixedWidth: number | null
}
