import type { ByteRange } from '../../../shared/byte-range.ts'
import { MIB } from '../../../shared/limits.ts'
import { LineAccount, type Ending } from '../line/line-account.ts'
import {
  DISK_SLACK_MS,
  DURABLE_AFTER_MS,
  MOST_REQUESTS_OF_FEW_PER_SECOND,
  MOST_REQUESTS_PER_SECOND,
  MOST_TWICE_SHARE,
} from '../line/line-rules.ts'

const NEW = 0
/** The program was given the byte, or will be. */
const CAME = 1
/** It came so long before a kill that it had to be kept. */
const SAFE = 2

interface Handed {
  readonly atMs: number
  readonly start: number
  readonly end: number
}

/** What came of one object. */
interface Coming {
  readonly key: string
  readonly bytes: Uint8Array
  twiceBytes: number
  lostBytes: number
  handed: Handed[]
}

/** An answer on its way, as the account follows it. */
export interface WatchedResponse {
  /** Bytes reached this end of the line. */
  carried(bytes: number): void
  /** The program was given them. */
  handed(bytes: number): void
  ended(how: Ending): void
}

/** Holds downloads to what a line must never see: each byte that comes again is put down to what made it. */
export class DownloadAccount extends LineAccount {
  readonly #objects = new Map<string, Coming>()
  readonly #open = new Set<WatchedResponse>()
  #kills = 0
  #second = -1
  #requests = 0
  #explained = 0

  requested(): void {
    this.#nextSecond()
    this.#requests += 1
    const most = this.parts.isHonest ? MOST_REQUESTS_PER_SECOND : MOST_REQUESTS_OF_FEW_PER_SECOND
    if (this.#requests > most + this.#explained)
      this.breaks('requestStorm', `${this.#requests} requests within a second`)
  }

  /** A fault ended a request: there will be another one. */
  faulted(): void {
    this.#nextSecond()
    this.#explained += 1
  }

  /** A request is given up before these bytes have come. That is as it should be where they came over another one. */
  vain(key: string, sizeBytes: number, { start, end }: ByteRange, how: Ending): void {
    const { bytes } = this.#objectOf(key, sizeBytes)
    if (bytes.subarray(start, end).some((byte) => byte !== CAME)) this.givenUp(`A request for ${key}`, how)
  }

  /** An answer with a range of an object begins. */
  begins(key: string, sizeBytes: number, { start, end }: ByteRange): WatchedResponse {
    const object = this.#objectOf(key, sizeBytes)
    let arrivedTo = start
    let handedTo = start
    let ending: Ending | null = null
    const response: WatchedResponse = {
      carried: (bytes) => {
        this.#nextSecond()
        this.#explained += bytes / MIB
        if (ending === null) this.#came(object, arrivedTo, arrivedTo + bytes)
        else if (this.isOwn(ending)) object.twiceBytes += bytes
        arrivedTo += bytes
        this.#check(object)
      },
      handed: (bytes) => {
        object.handed.push({ atMs: this.parts.timeline.nowMs, start: handedTo, end: handedTo + bytes })
        handedTo += bytes
      },
      ended: (how) => {
        if (ending !== null) return
        ending = this.isOwn(how) ? how : 'world'
        this.#open.delete(response)
        if (ending === 'world') object.bytes.fill(NEW, handedTo, arrivedTo)
        else if (how === 'aborted' || how === 'timeout') this.vain(key, sizeBytes, { start: arrivedTo, end }, how)
      },
    }
    this.#open.add(response)
    return response
  }

  /** The process is gone. What it was given long enough ago has to be there for the next one. */
  killed(): void {
    this.#kills += 1
    this.wasDisturbed = true
    for (const response of this.#open) response.ended('world')
    const safeUntilMs = this.parts.timeline.nowMs - DURABLE_AFTER_MS - DISK_SLACK_MS
    for (const object of this.#objects.values()) {
      for (const { atMs, start, end } of object.handed) {
        if (atMs > safeUntilMs) object.bytes.fill(NEW, start, end)
        else for (let at = start; at < end; at += 1) if (object.bytes[at] === CAME) object.bytes[at] = SAFE
      }
      object.handed = []
    }
  }

  #came(object: Coming, start: number, end: number): void {
    const { bytes } = object
    for (let at = start; at < Math.min(end, bytes.length); at += 1) {
      if (bytes[at] === CAME) object.twiceBytes += 1
      if (bytes[at] === SAFE) object.lostBytes += 1
      bytes[at] = CAME
    }
  }

  #check({ key, bytes, twiceBytes, lostBytes }: Coming): void {
    if (!this.parts.isHonest) return
    const mostBytes = MOST_TWICE_SHARE * bytes.length + MIB
    if (twiceBytes > mostBytes) this.breaks('carriedTwice', `${twiceBytes} of ${bytes.length} bytes of ${key}`)
    if (lostBytes > this.#kills * MIB) this.breaks('lostByKill', `${lostBytes} of ${bytes.length} bytes of ${key}`)
  }

  #objectOf(key: string, sizeBytes: number): Coming {
    const known = this.#objects.get(key)
    if (known?.bytes.length === sizeBytes) return known
    const object = { key, bytes: new Uint8Array(sizeBytes), twiceBytes: 0, lostBytes: 0, handed: [] }
    this.#objects.set(key, object)
    return object
  }

  #nextSecond(): void {
    const second = Math.floor(this.parts.timeline.nowMs / 1000)
    if (second === this.#second) return
    this.#second = second
    this.#requests = this.#explained = 0
  }
}
