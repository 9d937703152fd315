// Decides how this thread hashes the streams whose MD5s it has open: several side by side in turns, one by itself.

import { createMd5Lanes, hasMd5Lanes } from './md5-lanes.ts'
import { createMd5Turns, type Md5Job, type Md5Turns } from './md5-turns.ts'

/** The first job of a stream waits this long for those of others, milliseconds. */
export const FIRST_WAIT_MS = 2
/** For this long after there were several streams, several are likely again, milliseconds. */
const COMPANY_MS = 200

let openStreams = 0
let hadCompanyAtMs = -Infinity
let turns: Md5Turns | null = null

/** A stream begins. */
export function join(): void {
  openStreams += 1
  if (openStreams > 1) hadCompanyAtMs = performance.now()
}

/** A stream is over. */
export function leave(): void {
  openStreams -= 1
}

/**
 * Whether the stream that has joined is hashed by itself, which is quicker for streams that come one after the other.
 * Streams side by side may all end at once, so company counts for `COMPANY_MS` longer.
 */
export function isAlone(): boolean {
  return !hasMd5Lanes() || (openStreams === 1 && performance.now() - hadCompanyAtMs > COMPANY_MS)
}

/** Hashes a job in turns with those of other streams. @returns false if it was given up. Throws as `Md5Turns.add`. */
export function hashInTurns(job: Md5Job): Promise<boolean> {
  turns ??= createMd5Turns(createMd5Lanes())
  return turns.add(job, openStreams)
}

export function giveUp(job: Md5Job): void {
  turns?.giveUp(job)
}
