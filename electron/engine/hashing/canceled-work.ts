// Does work on requests that may be canceled meanwhile, by the numbers of the requests.

import { setTimeout as sleep } from 'node:timers/promises'
import type { FileRange } from './hash-messages.ts'
import { readBlocks } from './read-blocks.ts'

const working = new Map<number, { isCanceled: boolean }>()

/** Stops the work on a request, if there is any, at its next block. */
export function cancelWork(id: number): void {
  const work = working.get(id)
  if (work !== undefined) work.isCanceled = true
}

/** Passes the blocks of a range to `use`. @returns false if the request was canceled. */
export async function forEachBlock(id: number, range: FileRange, use: (block: Uint8Array) => void): Promise<boolean> {
  const work = { isCanceled: false }
  working.set(id, work)
  try {
    for await (const block of readBlocks(range)) {
      if (work.isCanceled) return false
      use(block)
    }
    return true
  } finally {
    working.delete(id)
  }
}

/** Waits `ms` milliseconds. @returns false if the request was canceled meanwhile. */
export async function waited(id: number, ms: number): Promise<boolean> {
  const work = { isCanceled: false }
  working.set(id, work)
  await sleep(ms)
  working.delete(id)
  return !work.isCanceled
}
