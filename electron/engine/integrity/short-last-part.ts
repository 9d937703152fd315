// The short last part of an upload: it is sent first, and its answer tells how fast an unknown line is.

import { MIB } from '../../../shared/limits.ts'

/** A part of this size tells the rate of a line of 1 to 8 Mbit/s, in half a second to six. */
const LEAST_BYTES = (MIB * 3) / 8
const MOST_BYTES = (MIB * 3) / 4
/** For a short last part the others grow by at most this many steps: one that is lost costs a fifth more. */
const MOST_STEPS = 256
const STEP_BYTES = MIB / 256
/** A smaller file has arrived before it matters (bytes). */
const LEAST_FILE_BYTES = 16 * MIB

/** Whether the answer to a part of this size tells the rate of a line, and soon. Pure. */
export function tellsRate(bytes: number): boolean {
  return bytes >= LEAST_BYTES && bytes <= MOST_BYTES
}

/**
 * The part size, from `partSizeBytes` on, that gives a file a last part that tells the rate; without one,
 * `partSizeBytes`. Of several, the one that adds least to what goes alone and to what a stop may cost. Pure.
 */
export function withShortLastPart(sizeBytes: number, partSizeBytes: number): number {
  if (sizeBytes < LEAST_FILE_BYTES) return partSizeBytes
  let best = partSizeBytes
  let leastBytes = Infinity
  for (let steps = 0; steps <= MOST_STEPS; steps += 1) {
    const added = steps * STEP_BYTES
    const last = sizeBytes % (partSizeBytes + added)
    if (!tellsRate(last) || last + added >= leastBytes) continue
    best = partSizeBytes + added
    leastBytes = last + added
  }
  return best
}
