import { MIB } from '../../../../../shared/limits.ts'
import type { OnItsWay } from './on-its-way.ts'
import type { SentBody } from './sent-body.ts'

/** A body whose connection took no more than this hardly distorts the pace of another one (bytes). */
const LITTLE_BYTES = 0.75 * MIB

/** What a full connection shows of its line while no other one moves more than a little. Bytes a second. */
export class LonePace {
  readonly #members: ReadonlySet<OnItsWay>
  #pace: number | null = null
  #most: number | null = null

  constructor(members: ReadonlySet<OnItsWay>) {
    this.#members = members
  }

  /** Pace at which the full connection of the latest lone body drained; null if unknown. */
  get pace(): number | null {
    return this.#pace
  }

  /** Upper limit of the rate, shown by a body that is alone and not answered yet; null if unknown. */
  get most(): number | null {
    return this.#most
  }

  /** The connection of a body took this many more bytes, which `body` already counts. */
  handed(body: SentBody, bytes: number): void {
    const others = [...this.#members].map((member) => member.body).filter((other) => other !== body)
    if (others.every(({ handedBytes }) => handedBytes === 0)) this.#pace = body.steadyPace ?? this.#pace
    for (const other of others) {
      other.tookBeside(bytes)
      // With only a little in its buffers it doesn't distort the pace that `body` shows.
      if (other.isHanded || other.handedBytes > LITTLE_BYTES) body.shared()
    }
    this.#most = body.latePace ?? this.#most
  }

  /** A body ended; it is no longer a member. What the others showed beside it was only a share. */
  ended(): void {
    this.#most = null
    for (const { body } of this.#members) body.shared()
  }
}
