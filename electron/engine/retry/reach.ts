import type { RetryPolicy } from '../core/retry-policy.ts'

/**
 * How far the tries of one body have come. Bytes that move again are no progress: otherwise a connection that always
 * breaks would never be given up.
 */
export class Reach {
  readonly #retryPolicy: Pick<RetryPolicy, 'moved'>
  #furthestBytes = 0

  constructor(retryPolicy: Pick<RetryPolicy, 'moved'>) {
    this.#retryPolicy = retryPolicy
  }

  /** Begins a try. @returns a function that counts its bytes as they move; negative if they did not move after all. */
  begin(): (bytes: number) => void {
    let movedBytes = 0
    return (bytes) => {
      movedBytes += bytes
      if (movedBytes <= this.#furthestBytes) return
      this.#furthestBytes = movedBytes
      this.#retryPolicy.moved()
    }
  }
}
