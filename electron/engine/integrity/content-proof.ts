import { rangeLength, type ByteRange } from '../../../shared/byte-range.ts'
import { MIB } from '../../../shared/limits.ts'
import type { Proof } from '../../../shared/transfer/transfer.ts'
import { forEachLimit } from '../async/for-each-limit.ts'
import { missingRanges, totalLength } from '../core/byte-ranges.ts'
import type { DigestAlgorithm, Hasher, HashStream } from '../core/deps.ts'
import type { RangeRecord } from '../core/records.ts'
import { MD5_LANES } from '../hashing/md5-lanes.ts'
import { crc32Combine } from '../../checksums/crc32.ts'
import { digestOfDigests } from './etag.ts'
import type { ProofGoal, ProofPlan } from './proof-goals.ts'

/** Bytes hashed before the thread is free for other files. */
const STRIDE_BYTES = 16 * MIB
/** Parts that wait for others hold no more bytes than this, so that they are still in the page cache when read. */
const MOST_WAITING_BYTES = 256 * MIB

type WholeGoal = ProofGoal & { kind: 'whole' }
type PartsGoal = ProofGoal & { kind: 'parts' }
type SumGoal = ProofGoal & { kind: 'sum' }

/** The result of one goal; `unknown`: it tells nothing about this file. */
type Finding = 'fits' | 'differs' | 'unknown'

/** A digest of the content, or of its parts, that differs from the one that the service gives. */
export interface Contradiction {
  readonly digest: string
  readonly lack: 'etag-differs' | 'checksum-differs'
}

/**
 * Proves a file while it grows: what has arrived is read back from the page cache and hashed in other threads, so that
 * at the end only the last bytes are left to hash.
 */
export class ContentProof {
  readonly #hasher: Hasher
  readonly #path: string
  readonly #sizeBytes: number
  #plan: Promise<ProofPlan> | null = null
  readonly #life = new AbortController()
  /** The first goal of the plan, once that is known. */
  #likeliest: ProofGoal | null = null
  /** The goal for which the file is being hashed. */
  #goal: ProofGoal | null = null
  #present: readonly ByteRange[] = []
  #halt = new AbortController()
  #working: Promise<void> | null = null
  #stream: HashStream | null = null
  /** How many bytes, from the first on, are in the stream. */
  #streamed = 0
  /** Parts of the likeliest layout that are not hashed yet. */
  #unhashed: readonly ByteRange[] | null = null
  readonly #digests = new Map<string, string>()
  /** What contradicted the service in the last proof; null if nothing did. */
  contradiction: Contradiction | null = null

  constructor(hasher: Hasher, path: string, sizeBytes: number) {
    this.#hasher = hasher
    this.#path = path
    this.#sizeBytes = sizeBytes
  }

  /** Begins to find out what would prove the content; `stop` ends that. Nothing is hashed before. Call it once. */
  aim(find: (signal: AbortSignal) => Promise<ProofPlan>): void {
    this.#plan = find(this.#life.signal)
    void this.#plan.then(
      ({ goals }) => {
        this.#likeliest = this.#goal = goals[0] ?? null
        this.follow(this.#present)
      },
      // `prove` meets the failure again.
      () => undefined,
    )
  }

  /** Tells which ranges of the file are there, sorted and joined; they are hashed in the background. */
  follow(present: readonly ByteRange[]): void {
    this.#present = present
    if (this.#goal === null || this.#goal.kind === 'sum') return
    if (this.#working !== null || this.#halt.signal.aborted) return
    this.#working = this.#hashPresent(this.#halt.signal)
      // `prove` meets the failure again, and reports it.
      .catch(() => this.#forget())
      .finally(() => (this.#working = null))
  }

  /** Ends what runs and forgets all hashes: some of the bytes may have changed. */
  async restart(): Promise<void> {
    await this.#stopHashing()
    this.#present = []
    this.#halt = new AbortController()
    this.#goal = this.#likeliest
  }

  /** Ends what runs, for good. */
  async stop(): Promise<void> {
    this.#life.abort(new Error('The proof was stopped'))
    await this.#stopHashing()
  }

  async #stopHashing(): Promise<void> {
    this.#halt.abort(new Error('The proof was stopped'))
    await this.#working
    this.#forget()
  }

  /**
   * Hashes the rest of the file, which is complete. `claims` cover it as far as they are known. Returns what proves it,
   * `size-only` if nothing does, and null if its content certainly differs. Throws the file system's error.
   */
  async prove(claims: readonly RangeRecord[], signal: AbortSignal): Promise<Proof | null> {
    this.contradiction = null
    if (this.#plan === null) return { verification: 'size-only', lack: 'no-checksum' }
    // A stop also ends what runs: it must not wait for a long hash, or for answers.
    const stop = (): void => {
      this.#life.abort(signal.reason)
      this.#halt.abort(signal.reason)
    }
    signal.addEventListener('abort', stop, { once: true })
    try {
      signal.throwIfAborted()
      const { goals, lack } = await this.#plan
      signal.throwIfAborted()
      this.#present = [{ start: 0, end: this.#sizeBytes }]
      let isDenied = false
      for (const goal of goals) {
        await this.#working
        signal.throwIfAborted()
        if (this.#goal !== goal) this.#forget()
        this.#goal = goal
        const finding = await this.#weigh(goal, claims, signal)
        if (finding === 'fits') return { verification: goal.proves }
        // A checksum may turn out to be of something else: a goal that proves the content counts more.
        isDenied ||= finding === 'differs' && goal.isCertain
      }
      return isDenied ? null : { verification: 'size-only', lack }
    } finally {
      signal.removeEventListener('abort', stop)
      this.#forget()
    }
  }

  #weigh(goal: ProofGoal, claims: readonly RangeRecord[], signal: AbortSignal): Finding | Promise<Finding> {
    switch (goal.kind) {
      case 'sum':
        return this.#weighSum(goal, claims)
      case 'whole':
        return this.#weighWhole(goal, signal)
      case 'parts':
        return this.#weighParts(goal, signal)
    }
  }

  async #weighWhole(goal: WholeGoal, signal: AbortSignal): Promise<Finding> {
    await this.#hashPresent(signal)
    const digest = await this.#stream?.digest()
    this.#stream = null
    if (digest === goal.expected) return 'fits'
    if (digest !== undefined && goal.isCertain) this.#contradict(goal, digest)
    return 'differs'
  }

  #contradict({ proves }: ProofGoal, digest: string): void {
    const isEtag = proves === 'etag-md5' || proves === 'etag-multipart'
    this.contradiction = { digest, lack: isEtag ? 'etag-differs' : 'checksum-differs' }
  }

  async #weighParts(goal: PartsGoal, signal: AbortSignal): Promise<Finding> {
    const { algorithm, expected, layouts, isTold } = goal
    for (const parts of layouts) {
      await this.#hashParts(algorithm, parts, signal)
      const digests = parts.map((part) => this.#digests.get(nameOf(part)) ?? '')
      const digest = digestOfDigests(algorithm, digests)
      if (digest === expected) return 'fits'
      if (isTold) this.#contradict(goal, digest)
    }
    return 'differs'
  }

  #weighSum(goal: SumGoal, claims: readonly RangeRecord[]): Finding {
    if (missingRanges(claims, { start: 0, end: this.#sizeBytes }).length > 0) return 'unknown'
    const sum = claims.reduce((before, claim) => crc32Combine(before, claim.crc32, rangeLength(claim)), 0)
    if (sum === goal.expected) return 'fits'
    this.#contradict(goal, String(sum))
    return 'differs'
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
      this.#unhashed ??= goal.layouts[0] ?? []
      for (;;) {
        const batch: ReadonlySet<ByteRange> = new Set(nextBatch(this.#unhashed, this.#present))
        if (batch.size === 0) return
        this.#unhashed = this.#unhashed.filter((part) => !batch.has(part))
        await this.#hashParts(goal.algorithm, [...batch], signal)
      }
    }
  }

  /** How many bytes can go into the stream next. */
  #ready(): number {
    const first = this.#present[0]
    const end = first?.start === 0 ? first.end : 0
    return Math.min(STRIDE_BYTES, end - this.#streamed)
  }

  /** Hashes parts, lowest first, except those whose hash is known. */
  async #hashParts(algorithm: DigestAlgorithm, parts: readonly ByteRange[], signal: AbortSignal): Promise<void> {
    const unknown = parts.filter((part) => !this.#digests.has(nameOf(part)))
    await forEachLimit(unknown, MD5_LANES, async (part) => {
      const digest = await this.#hasher.digest(algorithm, this.#path, part.start, rangeLength(part), signal)
      this.#digests.set(nameOf(part), digest)
    })
  }

  #forget(): void {
    this.#stream?.end()
    this.#stream = null
    this.#streamed = 0
    this.#unhashed = null
    this.#digests.clear()
  }
}

/**
 * The lowest of the ascending `parts` that are completely in `present`, as many as a thread hashes side by side: hashed
 * one by one as they come, they would cost up to four times as much. Fewer if they hold many bytes; otherwise none.
 */
function nextBatch(parts: readonly ByteRange[], present: readonly ByteRange[]): readonly ByteRange[] {
  const batch: ByteRange[] = []
  let index = 0
  for (const part of parts) {
    while ((present[index]?.end ?? Infinity) < part.end) index += 1
    if ((present[index]?.start ?? Infinity) > part.start) continue
    batch.push(part)
    if (batch.length === MD5_LANES) return batch
  }
  return totalLength(batch) >= MOST_WAITING_BYTES ? batch : []
}

function nameOf({ start, end }: ByteRange): string {
  return `${start}-${end}`
}
