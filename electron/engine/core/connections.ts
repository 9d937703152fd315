// The contract between transfers and the network about connections. Only types; `line/` has the policies.

import type { TransferDirection } from '../../../shared/transfer/transfer.ts'
import type { UploadLine } from './upload-line.ts'

/** What one transfer may use of the connections to a host. Calls are cheap and never throw. */
export interface ConnectionShare {
  /** Requests at a time, 1 or more. */
  readonly limit: number
  /** How many requests run, and how many could. Must be called whenever one of the two changes. */
  uses(running: number, wanted: number): void
  arrived(bytes: number): void
  /** The first answer came at `answeredAtMs`, monotonic milliseconds, `latencyMs` after its request. */
  began(answeredAtMs: number, latencyMs: number): void
  /** A request was answered after `latencyMs`. */
  answered(latencyMs: number): void
  /** The service answered 429, 503 or SlowDown. */
  refused(): void
  /** A connection could not be made, or broke before it brought anything. */
  failed(): void
  /** The shortest time from request to answer on this host, milliseconds; 0 while unknown. */
  readonly latencyMs: number
  /**
   * What all downloads from this host bring together, bytes a second: an average over some seconds, in which time without
   * any bytes does not count. 0 while unknown.
   */
  readonly bytesPerSecond: number
  leave(): void
}

/** Decides for each host how many connections downloads get, and shares them out; uploads have a line (ADR 20). */
export interface ConnectionGovernors {
  /** @param host scheme, name and port. @param onChange called when the share's limit has changed. */
  join(host: string, onChange: () => void): ConnectionShare
  /** The line that all uploads to a host share. */
  uploadLine(host: string): UploadLine
  /** The service answered 429, 503 or SlowDown to a request that has no share. */
  refused(host: string): void
  /** How many connections fill the line to or from a host, as far as known; null if nothing has gone over it yet. */
  connections(host: string, direction: TransferDirection): number | null
}
