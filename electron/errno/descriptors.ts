// Waits for a file descriptor where the process, or the system, has none to give.

import { setTimeout as sleep } from 'node:timers/promises'
import { errnoCode } from './errno.ts'

/** Connections and files that are done give theirs back: a shortage that outlasts this (milliseconds) does not pass. */
const PATIENCE_MS = 60_000
const STEP_MS = 20

/** Whether there was no descriptor: for this process (EMFILE), or on the whole computer (ENFILE). */
export function lacksDescriptor(failure: unknown): boolean {
  const code = errnoCode(failure)
  return code === 'EMFILE' || code === 'ENFILE'
}

/**
 * Runs `open`, again for up to a minute while there is no descriptor for it. Throws its last failure. Must not wait
 * inside anything that those who have descriptors need to give them back.
 */
export async function onceFree<Value>(open: () => Value): Promise<Awaited<Value>> {
  for (let waitedMs = 0; ; waitedMs += STEP_MS) {
    try {
      return await open()
    } catch (failure) {
      if (!lacksDescriptor(failure) || waitedMs >= PATIENCE_MS) throw failure
      await sleep(STEP_MS)
    }
  }
}

const NEVER = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))

/** Does the same and holds up the thread, which has no descriptor of its own to give back. */
export function blockUntilFree<Value>(open: () => Value, patienceMs = PATIENCE_MS): Value {
  for (let waitedMs = 0; ; waitedMs += STEP_MS) {
    try {
      return open()
    } catch (failure) {
      if (!lacksDescriptor(failure) || waitedMs >= patienceMs) throw failure
      Atomics.wait(NEVER, 0, 0, STEP_MS)
    }
  }
}
