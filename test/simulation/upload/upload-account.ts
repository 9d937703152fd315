import { LineAccount, type AccountParts, type Ending } from '../line/line-account.ts'
import { DURABLE_AFTER_MS, MOST_TWICE_SHARE } from '../line/line-rules.ts'
import type { Way } from '../line/line.ts'

/** What the line carried for one key. */
interface Sent {
  readonly sizeBytes: number
  largestBody: number
  /** Of bodies that the service has. */
  keptBytes: number
  /** Of bodies that the program gave up, or sent though the service had them. */
  wastedBytes: number
  /** Of bodies that the line carries on behind a pause or a kill: what comes next can't know that they will be there. */
  excusedBytes: number
}

/** The body of a request on its way, as the account follows it. */
export interface WatchedBody {
  /** Bytes reached the service. */
  carried(bytes: number): void
  /** All of it is in the hands of the line, which carries it whatever becomes of the program. */
  handedOver(): void
  /** @param lacksBytes its own side had not given all of it. */
  ended(how: Ending, lacksBytes: boolean): void
}

interface OpenBody {
  readonly isBound: () => boolean
  readonly carriedBytes: () => number
  readonly sent: Sent
  readonly watched: WatchedBody
}

/** Holds uploads to what a line must never see: each byte that is sent again is put down to what made it. */
export class UploadAccount extends LineAccount {
  readonly #keys = new Map<string, Sent>()
  readonly #open = new Set<OpenBody>()
  /** Names of requests whose body was given up and arrived whole all the same, which counts as carried in vain. */
  readonly #cameLate = new Set<string>()
  readonly #up: Way

  constructor(parts: AccountParts, up: Way) {
    super(parts, up)
    this.#up = up
  }

  /** A key is to be made of a file. */
  expects(key: string, sizeBytes: number): void {
    this.#keys.set(key, { sizeBytes, largestBody: 0, keptBytes: 0, wastedBytes: 0, excusedBytes: 0 })
  }

  /** A request with a body begins. @param isThere the service has these bytes, of this upload, already. */
  begins(name: string, key: string, bodyBytes: number, isThere: boolean): WatchedBody {
    const sent = this.#keys.get(key) ?? { sizeBytes: 0, largestBody: 0, keptBytes: 0, wastedBytes: 0, excusedBytes: 0 }
    sent.largestBody = Math.max(sent.largestBody, bodyBytes)
    let carriedBytes = 0
    let isBound = false
    let ending: Ending | null = null
    const watched: WatchedBody = {
      carried: (bytes) => {
        carriedBytes += bytes
        if (ending === null || ending === 'read' || !this.isOwn(ending)) return
        if (carriedBytes === bodyBytes) this.#cameLate.add(name)
        this.#waste(key, sent, bytes)
      },
      handedOver: () => {
        isBound = true
      },
      ended: (how, lacksBytes) => {
        if (ending !== null) return
        ending = this.isOwn(how) ? how : 'world'
        this.#open.delete(open)
        if (ending === 'world') {
          if (isBound) sent.excusedBytes += bodyBytes
          return
        }
        // Of a body that came late and its copy, only one was in vain.
        const isInVain = ending !== 'read' || (isThere && !this.#cameLate.delete(name))
        if (isInVain) this.#waste(key, sent, carriedBytes)
        else this.#keep(key, sent, bodyBytes)
        // A question is asked again at no cost.
        if (ending !== 'read' && lacksBytes)
          this.breaks('givenUpForSource', `${name} was ${ending}, which waited for its file`)
        else if (ending !== 'read' && bodyBytes > 0)
          this.givenUp(`${name}, ${carriedBytes} of ${bodyBytes} bytes carried,`, ending)
      },
    }
    const open: OpenBody = { isBound: () => isBound, carriedBytes: () => carriedBytes, sent, watched }
    this.#open.add(open)
    return watched
  }

  /** The process is gone. What it had not handed over whole is lost. */
  killed(): void {
    this.wasDisturbed = true
    let lostBytes = 0
    const partBytes = new Map<Sent, number>()
    for (const { isBound, carriedBytes, sent, watched } of this.#open) {
      if (!isBound()) lostBytes += carriedBytes()
      partBytes.set(sent, sent.largestBody)
      watched.ended('world', false)
    }
    const oneOfEach = [...partBytes.values()].reduce((sum, bytes) => sum + bytes, 0)
    const mostBytes = Math.max(
      (this.#fillingBodies + 1) * oneOfEach,
      (DURABLE_AFTER_MS * this.#up.terms.bytesPerSecond) / 1000,
    )
    if (this.parts.isHonest && lostBytes > mostBytes)
      this.breaks('lostByKill', `${lostBytes} bytes, where parts of each have up to ${oneOfEach}`)
  }

  /**
   * How many bodies fill the line at the same time. Where the service takes no more than a quarter of the line on a
   * connection, that is four. However they are staggered, they have then come half way on an average, so that a kill
   * may cost more than two parts; and all of each, if they end together. One more begins before the first of them ends.
   */
  get #fillingBodies(): number {
    const { connectionBytesPerSecond } = this.parts.lineTerms
    return Math.max(1, Math.ceil(this.#up.terms.bytesPerSecond / connectionBytesPerSecond))
  }

  #keep(key: string, sent: Sent, bytes: number): void {
    sent.keptBytes += bytes
    this.#check(key, sent)
  }

  #waste(key: string, sent: Sent, bytes: number): void {
    sent.wastedBytes += bytes
    this.#check(key, sent)
  }

  #check(key: string, { sizeBytes, largestBody, keptBytes, wastedBytes, excusedBytes }: Sent): void {
    if (!this.parts.isHonest) return
    const twiceBytes = wastedBytes + Math.max(0, keptBytes - sizeBytes)
    if (twiceBytes > MOST_TWICE_SHARE * sizeBytes + largestBody + excusedBytes)
      this.breaks('carriedTwice', `${twiceBytes} of ${sizeBytes} bytes of ${key}, in parts of ${largestBody}`)
  }
}
