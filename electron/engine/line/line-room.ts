// How many transfers share a line before the next one has to wait.

import type { TransferDirection, TransferStatus } from '../../../shared/transfer/transfer.ts'
import type { StoreLocation } from '../core/records.ts'
import { SMALL_BODY_BYTES } from './upload/known/on-its-way.ts'

/**
 * How many large transfers share a line that few connections fill: the first gets most of it, and the next takes what
 * the first leaves between its parts and at its end. With more of them, each would only end later (ADR 21).
 */
const TRANSFERS_ON_NARROW_LINE = 2
/** A line that needs at least this many connections to be full has room for all transfers. */
const WIDE_CONNECTIONS = 4
/** A transfer that is more than this many times as large makes way: it hardly ends later. */
const MUCH_LARGER = 10

/** What a line knows of a transfer. */
export interface OnLine {
  /** Transfers with the same key use the same line in the same direction. */
  readonly lineKey: string
  /** Null: unknown. */
  readonly leftBytes: number | null
}

export interface RunningOnLine extends OnLine {
  readonly status: TransferStatus
  /** How many connections fill the line, as far as known; null if nothing has gone over it yet. */
  readonly connections: number | null
}

/** Identifies the line of a transfer: its direction, and its place or the server of its link. */
export function lineKeyOf(location: StoreLocation, direction: TransferDirection): string {
  return `${direction} ${location.kind === 'place' ? location.placeId : new URL(location.url).host}`
}

/** Whether a transfer may start beside those that run. Pure. */
export function hasRoom(next: OnLine, running: Iterable<RunningOnLine>): boolean {
  const leftBytes = next.leftBytes ?? Infinity
  if (leftBytes <= SMALL_BODY_BYTES) return true
  let moving = 0
  for (const each of running) {
    if (each.lineKey !== next.lineKey) continue
    if (each.connections !== null && each.connections >= WIDE_CONNECTIONS) return true
    if (isMoving(each.status) && !makesWay(each.leftBytes, leftBytes)) moving += 1
  }
  return moving < TRANSFERS_ON_NARROW_LINE
}

function makesWay(itsBytes: number | null, leftBytes: number): boolean {
  return itsBytes !== null && (itsBytes <= SMALL_BODY_BYTES || itsBytes > MUCH_LARGER * leftBytes)
}

/** Transfers that wait, verify or complete don't use the line. */
function isMoving(status: TransferStatus): boolean {
  return status === 'preparing' || status === 'transferring' || status === 'pausing'
}
