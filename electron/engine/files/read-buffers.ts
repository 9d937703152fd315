// Memory that files are read into before they are sent, limited for the process as a whole.

import { MIB } from '../../../shared/limits.ts'
import { createMemoryBudget } from '../async/memory-budget.ts'

/** What a file is read and sent by. See ADR 13 for what other sizes cost. */
export const READ_BLOCK_BYTES = MIB / 2
/** One is sent while the next one is read and hashed. */
const BLOCKS_PER_BODY = 2
/** Blocks that nobody used for this long are let go: all that was sent may wait for its answers before there is more (ms). */
const KEPT_MS = 5000
/** Of all uploads together. */
const MAX_READ_BYTES = 64 * MIB

/**
 * The blocks of one body while it is sent. Hash threads fill them, and share them: had they been moved there and back, each
 * arrival would count as newly allocated memory, and garbage would be collected every 64 MiB.
 */
export interface BodyBlocks {
  /** An empty one. At most two are taken at a time. */
  take(): SharedArrayBuffer
  /** Gives one back for the next `take`, of any body, also after `release`: nobody fills or sends it any more. */
  give(block: SharedArrayBuffer): void
  /** Ends the loan of all. */
  release(): void
}

/** Memory of uploads for what was read and is not sent yet: reserved before it is read. */
export interface ReadMemory {
  /** Resolves when there is room for the blocks of one body, in the order of asking. Rejects when aborted. */
  reserve(signal: AbortSignal): Promise<BodyBlocks>
}

/** @param totalBytes for all bodies together; one that is read and sent takes two blocks, 1 MiB. */
export function createReadMemory(totalBytes: number): ReadMemory {
  const bodyBytes = BLOCKS_PER_BODY * READ_BLOCK_BYTES
  const budget = createMemoryBudget(totalBytes)
  const spare: SharedArrayBuffer[] = []
  let bodies = 0
  /** At a time, since the last tidying. */
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

/** The memory is the process's, so is the budget. */
export const readMemory = createReadMemory(MAX_READ_BYTES)
