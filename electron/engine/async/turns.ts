/** Makes calls when it is their turn. */
export interface TakesTurns {
  /** Settles as the call does. */
  take<T>(call: () => Promise<T>): Promise<T>
}

/** Each call is made at once. */
export const AT_ONCE: TakesTurns = { take: (call) => call() }

/** Takes a turn of both, the outer one first. */
export function bothTurns(outer: TakesTurns, inner: TakesTurns): TakesTurns {
  return { take: (call) => outer.take(() => inner.take(call)) }
}
