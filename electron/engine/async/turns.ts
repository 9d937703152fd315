/** Calls that are made so many at a time, the others in the order in which they were asked for. */
export class Turns {
  readonly #most: number
  #taken = 0
  readonly #waiting: (() => void)[] = []

  /** @param most 1 or more. */
  constructor(most: number) {
    this.#most = most
  }

  async take<T>(call: () => Promise<T>): Promise<T> {
    if (this.#taken < this.#most) this.#taken += 1
    // Who leaves gives its turn to the next.
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
    try {
      return await call()
    } finally {
      const next = this.#waiting.shift()
      if (next === undefined) this.#taken -= 1
      else next()
    }
  }
}
