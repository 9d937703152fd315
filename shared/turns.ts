/** Makes at most a given number of calls at a time; the others wait in the order in which they came. */
export class Turns {
  readonly #most: number
  #taken = 0
  readonly #waiting: (() => void)[] = []

  /** @param most 1 or more. */
  constructor(most: number) {
    this.#most = most
  }

  /** Settles as `call` does. */
  async take<T>(call: () => Promise<T>): Promise<T> {
    if (this.#taken < this.#most) this.#taken += 1
    // A call that ends gives its turn to the next one.
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
