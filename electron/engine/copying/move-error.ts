/**
 * Why an object was not moved; it is still under its old key. `taken`: another object has the new key. `changed`: the
 * original changed before it was copied. `outdated`: it changed meanwhile, and the copy has the new key.
 * `unconfirmed`: what has the new key now is not certainly a copy of it. `lacking`: the service makes no copies.
 */
export type MoveFault = 'taken' | 'changed' | 'outdated' | 'unconfirmed' | 'lacking'

export class MoveError extends Error {
  readonly fault: MoveFault
  /** The new key. */
  readonly key: string

  constructor(fault: MoveFault, key: string, cause?: unknown) {
    super(`The object was not moved: ${fault}`, { cause })
    this.name = 'MoveError'
    this.fault = fault
    this.key = key
  }
}
