import { vi } from 'vitest'

/** A machine that stands still for a while, as busy ones do, fails no test (ms). */
const PATIENCE_MS = 60_000

/** Asks again every `interval` ms until a check throws nothing. @returns what it returns; throws what it threw last. */
export function whenHolds<Value>(check: () => Value | Promise<Value>, interval = 50): Promise<Value> {
  return vi.waitFor(check, { timeout: PATIENCE_MS, interval })
}
