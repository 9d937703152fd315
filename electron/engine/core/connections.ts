// What transfers and the network agree on about connections. Types alone; `line/` has the policies.

import type { TransferDirection } from '../../../shared/transfer/transfer.ts'
import type { UploadLine } from './upload-line.ts'

/** What one transfer may use of the connections to a host. Calls are cheap and never throw. */
export interface ConnectionShare {
  /** Requests at a time, 1 or more. */
  readonly limit: number
  /** How many requests run, and how many could. Told whenever one of the two changes. */
  uses(running: number, wanted: number): void
  arrived(bytes: number): void
  /** Its first answer came at this time, monotonic milliseconds, this long after it was asked for. */
  began(answeredAtMs: number, latencyMs: number): void
  /** A request was answered after this long. */
  answered(latencyMs: number): void
  /** 429, 503 or SlowDown. */
  refused(): void
  /** No connection, or one that broke before it brought anything. */
  failed(): void
  /** From request to answer on this host at its best, milliseconds; 0 while unknown. */
  readonly latencyMs: number
  leave(): void
}

/** Decides for every host how many connections downloads get, and shares them out; uploads have a line (ADR 20). */
export interface ConnectionGovernors {
  /** @param host scheme, name and port. @param onChange called when the share's limit has changed. */
  join(host: string, onChange: () => void): ConnectionShare
  /** The way of all uploads to a host. */
  uploadLine(host: string): UploadLine
  /** 429, 503 or SlowDown to a request that has no share. */
  refused(host: string): void
  /** How many connections fill the way to or from a host, as far as known; null: nothing has gone that way. */
  connections(host: string, direction: TransferDirection): number | null
}
