import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

/** How many of these are still held by somebody, after a full collection. */
export async function countHeld(references: readonly WeakRef<object>[]): Promise<number> {
  // What a WeakRef was read from in this turn of the loop stays until the next, and what it held one longer.
  for (let turn = 0; turn < 5; turn += 1) {
    await setImmediate()
    collect()
  }
  return references.filter((reference) => reference.deref() !== undefined).length
}
