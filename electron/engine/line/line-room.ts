// How many transfers share a line before the next one has to wait.

import type { TransferDirection, TransferStatus } from '../../../shared/transfer/transfer.ts'
import type { StoreLocation } from '../core/records.ts'
import { SMALL_BODY_BYTES } from './upload/upload-admission.ts'

/**
 * So many large transfers go over a line that few connections fill: the first gets most of it, and the next takes what
 * the first leaves between its parts and at its end. More would only end later (ADR 21).
 */
const TRANSFERS_ON_NARROW_LINE = 2
/** A line that fewer connections do not fill has room for all. */
const WIDE_CONNECTIONS = 4
/** One that is so many times as large makes way: it hardly ends later. */
const MUCH_LARGER = 10

/** A transfer as its line sees it. */
export interface OnLine {
  /** Two transfers with the same one go the same way in the same direction. */
  readonly lineKey: string
  /** Null: unknown. */
  readonly leftBytes: number | null
}

export interface RunningOnLine extends OnLine {
  readonly status: TransferStatus
  /** How many fill the line, as far as known; null: nothing has gone over it. */
  readonly connections: number | null
}

/** The way that a transfer's bytes go: to or from a place, or the server of a link. */
export function lineKeyOf(location: StoreLocation, direction: TransferDirection): string {
  return `${direction} ${location.kind === 'place' ? location.placeId : new URL(location.url).host}`
}

/** Whether a transfer may start, by those that run. Pure. */
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

/** What waits, is checked or put together uses no line. */
function isMoving(status: TransferStatus): boolean {
  return status === 'preparing' || status === 'transferring' || status === 'pausing'
}
