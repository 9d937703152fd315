import { MAX_CLOCK_SKEW_MS } from '../../../shared/limits.ts'
import type { ObjectHead } from '../port/object-store.ts'
import type { StoreConnection } from '../port/store-connection.ts'
import type { HttpResponse } from '../http/exchange.ts'
import { parseHttpDate } from './header-values.ts'

/** The service's clock, as far as its responses have revealed it. */
export interface ServerClock {
  /** Milliseconds since the epoch. */
  now(): number
  /** Returns whether the response's Date is further off than a signature may be. */
  isFarOff(response: HttpResponse): boolean
  /** Adopts the Date of a response; returns false when it has none. */
  learn(response: HttpResponse): boolean
}

/** Creates the clock of one service; it equals this computer's clock until it learns otherwise. */
export function createServerClock(now: () => number): ServerClock {
  let offsetMs = 0
  const dateOf = (response: HttpResponse) => parseHttpDate(response.headers.get('date'))
  return {
    now: () => now() + offsetMs,
    isFarOff(response) {
      const dateMs = dateOf(response)
      return dateMs !== null && Math.abs(dateMs - now() - offsetMs) > MAX_CLOCK_SKEW_MS
    },
    learn(response) {
      const dateMs = dateOf(response)
      if (dateMs !== null) offsetMs = dateMs - now()
      return dateMs !== null
    },
  }
}

/** Returns the service's clock by the response it just gave, or this computer's clock if the response has no time. */
export function clockOf(
  { serverTimeMs }: Pick<ObjectHead, 'serverTimeMs'>,
  { now = Date.now }: Pick<StoreConnection, 'now'>,
): () => number {
  return () => serverTimeMs ?? now()
}
