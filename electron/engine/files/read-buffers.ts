// Memory that files are read into before they are sent, limited for the whole process.

import { MIB } from '../../../shared/limits.ts'
import { createMemoryBudget } from '../async/memory-budget.ts'

/** The block size in which files are read and sent. See ADR 13 for what other sizes cost. */
export const READ_BLOCK_BYTES = MIB / 2
/** One block is sent while the next one is read and hashed. */
const BLOCKS_PER_BODY = 2
/** Blocks unused for this long are freed; uploads may wait that long for responses before they go on (milliseconds). */
const KEPT_MS = 5000
/** The limit for all uploads together. */
const MAX_READ_BYTES = 64 * MIB

/**
 * The blocks of one body while it is sent. Hash threads fill them as shared memory: if the blocks were moved there and
 * back, each arrival would count as a new allocation, and garbage would be collected every 64 MiB.
 */
export interface BodyBlocks {
  /** Takes an empty block. At most two are taken at a time. */
  take(): SharedArrayBuffer
  /** Returns a block, no longer filled or sent, for the next `take` of any body. Allowed even after `release`. */
  give(block: SharedArrayBuffer): void
  /** Gives back the memory that was reserved for the body. */
  release(): void
}

/** The uploads' memory for bytes that are read but not sent yet. It is reserved before they are read. */
export interface ReadMemory {
  /** Resolves when there is room for the blocks of one body, first come, first served. Rejects when aborted. */
  reserve(signal: AbortSignal): Promise<BodyBlocks>
}

/** @param totalBytes for all bodies together. Each takes two blocks (1 MiB) while it is read and sent. */
export function createReadMemory(totalBytes: number): ReadMemory {
  const bodyBytes = BLOCKS_PER_BODY * READ_BLOCK_BYTES
  const budget = createMemoryBudget(totalBytes)
  const spare: SharedArrayBuffer[] = []
  let bodies = 0
  /** The most bodies at a time since the last tidying. */
  let mostBodies = 0
  let tidying: NodeJS.Timeout | undefined

  function tidy(): void {
    spare.splice(BLOCKS_PER_BODY * mostBodies)
    mostBodies = bodies
    tidying = undefined
    if (spare.length > 0) tidyLater()
  }

  function tidyLater(): void {
    tidying ??= setTimeout(tidy, KEPT_MS).unref()
  }

  return {
    async reserve(signal) {
      signal.throwIfAborted()
      await budget.take(bodyBytes, signal)
      bodies += 1
      mostBodies = Math.max(mostBodies, bodies)
      let isOver = false
      function release(): void {
        if (isOver) return
        isOver = true
        bodies -= 1
        budget.give(bodyBytes)
      }
      if (signal.aborted) release()
      signal.throwIfAborted()
      return {
        take: () => spare.pop() ?? new SharedArrayBuffer(READ_BLOCK_BYTES),
        give(block) {
          spare.push(block)
          tidyLater()
        },
        release,
      }
    },
  }
}

/** One budget for the process, whose memory it limits. */
export const readMemory = createReadMemory(MAX_READ_BYTES)
