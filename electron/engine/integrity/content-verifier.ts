import { rangeLength, type ByteRange } from '../../../shared/byte-range.ts'
import { MIB } from '../../../shared/limits.ts'
import type { Verification } from '../../../shared/transfer/transfer.ts'
import { forEachLimit } from '../async/for-each-limit.ts'
import { missingRanges } from '../core/byte-ranges.ts'
import type { Hasher, HashStream } from '../core/deps.ts'
import type { ObjectIdentity, RangeRecord } from '../core/records.ts'
import { crc32Combine } from './crc32.ts'
import { digestOfParts } from './etag.ts'
import { partsOf, proofGoal, type ProofGoal } from './verification-goal.ts'

/** Bytes hashed before the thread is free for other files. */
const STRIDE_BYTES = 16 * MIB
/** Parts asked for at a time. The hasher has few threads, and other transfers need them too. */
const HASHES_AT_A_TIME = 4

/**
 * What proves that the file at `path` equals the object, or null when the object's ETag contradicts it. `size-only` when
 * nothing can be proven: the ETag is no MD5, or of parts whose size could not be found; `unproven` when that size is not
 * known to be the object's either.
 */
export async function proveContent(
  hasher: Hasher,
  path: string,
  identity: ObjectIdentity,
  etagIsMd5: boolean,
  signal: AbortSignal,
): Promise<Verification | null> {
  const proof = new ContentProof(hasher, path, identity.sizeBytes)
  proof.aim(proofGoal(identity, etagIsMd5))
  const proven = await proof.prove([], signal)
  return proven === 'size-only' && identity.isOpenEnded === true ? 'unproven' : proven
}

/**
 * Proves a file while it grows: what has arrived is read back from the page cache and hashed in other threads, so that
 * at the end only the last bytes are left to hash.
 */
export class ContentProof {
  readonly #hasher: Hasher
  readonly #path: string
  readonly #sizeBytes: number
  #goal: ProofGoal | null = null
  #present: readonly ByteRange[] = []
  #halt = new AbortController()
  #working: Promise<void> | null = null
  #stream: HashStream | null = null
  /** Bytes from the beginning that are in the stream. */
  #streamed = 0
  /** Parts of the likeliest size that nobody hashes yet. */
  #unhashed: readonly ByteRange[] | null = null
  readonly #md5s = new Map<string, string>()
  /** Digest of a whole content that did not fit the ETag, hex; null: the last proof found no such thing. */
  contradiction: string | null = null

  constructor(hasher: Hasher, path: string, sizeBytes: number) {
    this.#hasher = hasher
    this.#path = path
    this.#sizeBytes = sizeBytes
  }

  /** Tells, once, what would prove the content. Nothing is hashed before. */
  aim(goal: ProofGoal | null): void {
    this.#goal = goal
    this.follow(this.#present)
  }

  /** Tells what of the file is there, sorted and joined; hashing goes on with it in the background. */
  follow(present: readonly ByteRange[]): void {
    this.#present = present
    if (this.#goal === null || this.#goal.kind === 'crc') return
    if (this.#working !== null || this.#halt.signal.aborted) return
    this.#working = this.#hashPresent(this.#halt.signal)
      // Whatever it was, `prove` meets it again and tells.
      .catch(() => this.#forget())
      .finally(() => (this.#working = null))
  }

  /** Ends what runs and forgets all hashes: some of the bytes may have become others. */
  async restart(): Promise<void> {
    await this.stop()
    this.#present = []
    this.#halt = new AbortController()
  }

  /** Ends what runs; nothing follows. */
  async stop(): Promise<void> {
    this.#halt.abort(new Error('The proof was stopped'))
    await this.#working
    this.#forget()
  }

  /**
   * Hashes the rest of the file, which is complete. `claims` cover it where they are known. Returns what proves it,
   * `size-only` when nothing does, and null when its content is certainly another. Throws the file system's error.
   */
  async prove(claims: readonly RangeRecord[], signal: AbortSignal): Promise<Verification | null> {
    const goal = this.#goal
    this.contradiction = null
    if (goal === null) return 'size-only'
    if (goal.kind === 'crc') {
      const proof = this.#provesSum(goal.expected, claims)
      if (proof !== null || goal.otherwise === null) return proof
      this.#goal = goal.otherwise
      const other = await this.prove(claims, signal).finally(() => (this.#goal = goal))
      return other === 'size-only' ? null : other
    }
    // A stop ends the run along the way as well: it must not wait for a long hash.
    const stop = (): void => this.#halt.abort(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
    try {
      this.#present = [{ start: 0, end: this.#sizeBytes }]
      await this.#working
      signal.throwIfAborted()
      return goal.kind === 'whole' ? await this.#provesWhole(goal, signal) : await this.#provesParts(goal, signal)
    } finally {
      signal.removeEventListener('abort', stop)
      this.#forget()
    }
  }

  async #provesWhole(goal: ProofGoal & { kind: 'whole' }, signal: AbortSignal): Promise<Verification | null> {
    await this.#hashPresent(signal)
    const digest = await this.#stream?.digest()
    this.#stream = null
    if (digest === goal.expected) return goal.proves
    if (goal.proves === 'etag-md5') this.contradiction = digest ?? null
    return goal.isCertain ? null : 'size-only'
  }

  async #provesParts(goal: ProofGoal & { kind: 'parts' }, signal: AbortSignal): Promise<Verification> {
    for (const partSizeBytes of goal.partSizes) {
      const parts = [...partsOf(this.#sizeBytes, partSizeBytes)]
      await this.#hashParts(parts, signal)
      const md5s = parts.map((part) => this.#md5s.get(nameOf(part)) ?? '')
      if (digestOfParts(md5s) === goal.expected) return 'etag-multipart'
    }
    return 'size-only'
  }

  #provesSum(expected: number, claims: readonly RangeRecord[]): Verification | null {
    if (missingRanges(claims, { start: 0, end: this.#sizeBytes }).length > 0) return 'size-only'
    const sum = claims.reduce((before, claim) => crc32Combine(before, claim.crc32, rangeLength(claim)), 0)
    return sum === expected ? 'crc' : null
  }

  async #hashPresent(signal: AbortSignal): Promise<void> {
    const goal = this.#goal
    if (goal?.kind === 'whole') {
      const stream = (this.#stream ??= this.#hasher.open(this.#path, goal.algorithm))
      for (let ready = this.#ready(); ready > 0; ready = this.#ready()) {
        await stream.append(ready, signal)
        this.#streamed += ready
      }
    } else if (goal?.kind === 'parts') {
      this.#unhashed ??= [...partsOf(this.#sizeBytes, goal.partSizes[0] ?? this.#sizeBytes)]
      for (;;) {
        const [ready, others] = splitByPresence(this.#unhashed, this.#present)
        if (ready.length === 0) return
        this.#unhashed = others
        await this.#hashParts(ready, signal)
      }
    }
  }

  /** Length of what can go into the stream next. */
  #ready(): number {
    const first = this.#present[0]
    const end = first?.start === 0 ? first.end : 0
    return Math.min(STRIDE_BYTES, end - this.#streamed)
  }

  /** Hashes parts, lowest first, except those whose hash is known. */
  async #hashParts(parts: readonly ByteRange[], signal: AbortSignal): Promise<void> {
    const unknown = parts.filter((part) => !this.#md5s.has(nameOf(part)))
    await forEachLimit(unknown, HASHES_AT_A_TIME, async (part) => {
      this.#md5s.set(nameOf(part), await this.#hasher.md5(this.#path, part.start, rangeLength(part), signal))
    })
  }

  #forget(): void {
    this.#stream?.end()
    this.#stream = null
    this.#streamed = 0
    this.#unhashed = null
    this.#md5s.clear()
  }
}

/** Ascending `parts` that lie in `present` as a whole, and the others. Both sorted. */
function splitByPresence(parts: readonly ByteRange[], present: readonly ByteRange[]): [ByteRange[], ByteRange[]] {
  const inside: ByteRange[] = []
  const others: ByteRange[] = []
  let index = 0
  for (const part of parts) {
    while ((present[index]?.end ?? Infinity) < part.end) index += 1
    if ((present[index]?.start ?? Infinity) <= part.start) inside.push(part)
    else others.push(part)
  }
  return [inside, others]
}

function nameOf({ start, end }: ByteRange): string {
  return `${start}-${end}`
}
