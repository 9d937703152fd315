import { createHash } from 'node:crypto'
import type { Random } from '../random.ts'
import type { Timeline } from '../timeline.ts'

/** One version of an object. */
export interface Version {
  readonly name: string
  readonly bytes: Buffer
  readonly etag: string | null
  readonly lastModified: string | null
  /** When it stopped being the object, milliseconds of virtual time; null while it is. */
  replacedAtMs: number | null
}

/** How long an object had been there when the world began (milliseconds). */
const AGES_MS = [0, 0, 30_000, 3_600_000, 86_400_000]

type Etags = 'md5' | 'multipart' | 'opaque' | 'weak' | 'none'

/** An object and how the service answers for it. */
export interface SimObject {
  readonly key: string
  readonly versions: Version[]
  readonly etags: Etags
  readonly hasLastModified: boolean
  /** False: bodies of unknown length. */
  readonly hasLength: boolean
  /** `first-only`: a range that does not begin with the object is answered with something else. */
  readonly ranges: 'honored' | 'ignored' | 'first-only'
  /** Its answers always tell which version they are of, so that a download can go on with what is there. */
  readonly isBound: boolean
  /** The next connection that is to bring the byte at this offset falls silent there; null: none does. */
  silentFrom: number | null
}

/** The far end: objects that somebody replaces now and then. */
export class SimService {
  readonly objects = new Map<string, SimObject>()
  readonly etagIsMd5: boolean
  readonly ifMatch: boolean
  readonly #timeline: Timeline
  readonly #random: Random

  constructor(timeline: Timeline, random: Random) {
    this.#timeline = timeline
    this.#random = random
    this.etagIsMd5 = random.chance(0.7)
    this.ifMatch = random.chance(0.5)
  }

  /** The service's own clock, milliseconds since the epoch. */
  get nowMs(): number {
    return Date.UTC(2026, 0, 1) + Math.floor(this.#timeline.nowMs)
  }

  create(key: string): SimObject {
    const random = this.#random
    const etags: Etags = this.etagIsMd5
      ? random.pick(['md5', 'md5', 'multipart', 'weak', 'none'])
      : random.pick(['opaque', 'opaque', 'opaque', 'weak', 'none'])
    const hasLength = random.chance(0.8)
    const object: SimObject = {
      key,
      versions: [],
      etags,
      hasLength,
      isBound: hasLength && etags !== 'weak' && etags !== 'none',
      hasLastModified: random.chance(0.8),
      ranges: random.chance(0.8) ? 'honored' : random.pick(['ignored', 'first-only']),
      silentFrom: null,
    }
    this.objects.set(key, object)
    this.#add(object, this.#size())
    return object
  }

  /** An object that nobody replaces, of a service that does all it should, but for a connection that falls silent. */
  createPlain(key: string, sizeBytes: number, silentFrom: number | null): void {
    const etags: Etags = this.etagIsMd5 ? 'md5' : 'opaque'
    const honest = { hasLength: true, isBound: true, hasLastModified: true, ranges: 'honored' } as const
    const object: SimObject = { key, versions: [], etags, silentFrom, ...honest }
    this.objects.set(key, object)
    this.#add(object, sizeBytes)
  }

  current(key: string): Version | null {
    return this.objects.get(key)?.versions.at(-1) ?? null
  }

  /** Another version takes the object's place, often of the same size, sometimes of the same second. */
  replace(key: string): void {
    if (this.#random.chance(0.3)) this.#timeline.at(this.#random.between(0, 500), () => this.#replace(key))
    this.#replace(key)
  }

  #replace(key: string): void {
    const object = this.objects.get(key)
    const before = object?.versions.at(-1)
    if (object === undefined || before === undefined) return
    before.replacedAtMs = this.#timeline.nowMs
    this.#add(object, this.#random.chance(0.6) ? before.bytes.length : this.#size())
  }

  #size(): number {
    const random = this.#random
    const most = random.pick([0, 1, 4096, 16_384, 65_536, 65_536, 200_000])
    return random.chance(0.3) ? most : random.below(most + 1)
  }

  #add(object: SimObject, sizeBytes: number): void {
    const random = this.#random
    const bytes = Buffer.from(new ArrayBuffer(sizeBytes))
    const words = new Uint32Array(bytes.buffer, 0, Math.floor(sizeBytes / 4))
    let word = random.below(2 ** 31) | 1
    for (let index = 0; index < words.length; index += 1) {
      word ^= word << 13
      word ^= word >>> 17
      word ^= word << 5
      words[index] = word
    }
    for (let index = words.length * 4; index < sizeBytes; index += 1) bytes[index] = random.below(256)
    const before = object.versions.at(-1)
    // A strong ETag tells versions apart even where the time does not.
    const isBackdated = before !== undefined && object.isBound && random.chance(0.5)
    const lastModified = isBackdated ? before.lastModified : this.#date(before === undefined ? random.pick(AGES_MS) : 0)
    object.versions.push({
      name: `${object.key}#${object.versions.length + 1}`,
      bytes,
      etag: etagOf(object.etags, bytes, object.versions.length),
      lastModified: object.hasLastModified ? lastModified : null,
      replacedAtMs: null,
    })
  }

  #date(ageMs: number): string {
    return new Date(this.nowMs - ageMs).toUTCString()
  }
}

function etagOf(kind: Etags, bytes: Buffer, number: number): string | null {
  switch (kind) {
    case 'md5':
      return md5(bytes)
    case 'multipart':
      return `${createHash('md5').update(md5(bytes), 'hex').digest('hex')}-1`
    case 'opaque':
      return `version-${number}-of-${bytes.length}`
    case 'weak':
      return 'W/"same"'
    case 'none':
      return null
    default:
      return kind satisfies never
  }
}

function md5(bytes: Buffer): string {
  return createHash('md5').update(bytes).digest('hex')
}
