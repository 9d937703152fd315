// Memory that files are read into before they are sent, limited for the process as a whole.

import { MIB } from '../../../shared/limits.ts'
import { createMemoryBudget } from '../async/memory-budget.ts'

/** What a file is read and sent by. See ADR 13 for what other sizes cost. */
export const READ_BLOCK_BYTES = MIB / 2
/** One is sent while the next one is read and hashed. */
const BLOCKS_PER_BODY = 2
/** While all that was sent waits for its answers there is no body, though there will be more: blocks are kept for so long (ms). */
const KEPT_MS = 5000
/** Of all uploads together. */
const MAX_READ_BYTES = 64 * MIB

/**
 * The blocks of one body while it is sent. Hash threads fill them: moved there and back, each of their comings would count
 * as memory taken, and have the garbage collected every 64 MiB.
 */
export interface BodyBlocks {
  /** An empty one. At most two are taken at a time. */
  take(): SharedArrayBuffer
  /** Gives one back for the next `take`. One that may still be filled must not come back. */
  give(block: SharedArrayBuffer): void
  /** Ends the loan of all. */
  release(): void
}

/** Memory of uploads for what was read and is not sent yet: reserved before it is read. */
export interface ReadMemory {
  /** Resolves when there is room for the blocks of one body, in the order of asking. Rejects when aborted. */
  reserve(signal: AbortSignal): Promise<BodyBlocks>
}

export function createReadMemory(totalBytes: number): ReadMemory {
  const bodyBytes = BLOCKS_PER_BODY * READ_BLOCK_BYTES
  const budget = createMemoryBudget(totalBytes)
  const spare: SharedArrayBuffer[] = []
  let bodies = 0
  let forgetting: NodeJS.Timeout | undefined
  return {
    async reserve(signal) {
      signal.throwIfAborted()
      bodies += 1
      clearTimeout(forgetting)
      await budget.take(bodyBytes, signal)
      let isOver = false
      function release(): void {
        if (isOver) return
        isOver = true
        bodies -= 1
        budget.give(bodyBytes)
        if (bodies === 0) forgetting = setTimeout(() => spare.splice(0), KEPT_MS).unref()
      }
      if (signal.aborted) release()
      signal.throwIfAborted()
      return {
        take: () => spare.pop() ?? new SharedArrayBuffer(READ_BLOCK_BYTES),
        give: (block) => void (isOver || spare.push(block)),
        release,
      }
    },
  }
}

/** The memory is the process's, so is the budget. */
export const readMemory = createReadMemory(MAX_READ_BYTES)
