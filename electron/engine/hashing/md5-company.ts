// Streams whose MD5s this thread has open, and how they are hashed: those side by side in turns, one alone by itself.

import { createMd5Lanes, hasMd5Lanes } from './md5-lanes.ts'
import { createMd5Turns, type Md5Job, type Md5Turns } from './md5-turns.ts'

/** The first job of a stream waits this long for those of others, milliseconds. */
export const FIRST_WAIT_MS = 2
/** For so long after the last time that there were several streams there are likely to be several, milliseconds. */
const COMPANY_MS = 200

let openStreams = 0
let hadCompanyAtMs = -Infinity
let turns: Md5Turns | null = null

/** A stream begins. */
export function join(): void {
  openStreams += 1
  if (openStreams > 1) hadCompanyAtMs = performance.now()
}

/** It is over. */
export function leave(): void {
  openStreams -= 1
}

/**
 * Whether the stream that has joined is hashed by itself. Those that come one after the other are quicker so; of those
 * side by side all may end at once.
 */
export function isAlone(): boolean {
  return !hasMd5Lanes() || (openStreams === 1 && performance.now() - hadCompanyAtMs > COMPANY_MS)
}

/** Hashes a job among those of others. @returns false when it was given up. Throws as `Md5Turns.add`. */
export function hashInTurns(job: Md5Job): Promise<boolean> {
  turns ??= createMd5Turns(createMd5Lanes())
  return turns.add(job, openStreams)
}

export function giveUp(job: Md5Job): void {
  turns?.giveUp(job)
}
