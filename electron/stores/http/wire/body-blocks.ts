import { allocateBlocks } from '../../../checksums/block-memory.ts'
import { BlockPool } from '../../../checksums/block-pool.ts'

/** Size of the blocks that a body is handed over in, but for those of slow connections and the last one. */
const BLOCK_BYTES = 512 * 1024

/** The first block is handed over when it has so much, which shows early how fast the connection is. */
const FIRST_BLOCK_BYTES = 256 * 1024

/** Blocks that are allocated together. */
const TOGETHER = 8

/** One byte more than is handed over shows when a server sends more than it announced; the rest aligns the next block. */
const WHOLE_BLOCK_BYTES = BLOCK_BYTES + 64

/** So much memory stays allocated while no body fills any of it: 32 blocks, and what folding them takes. */
const MAX_IDLE_BYTES = 33 * BLOCK_BYTES

/** Blocks in use by no body, for the next one. */
export class BlockStore {
  readonly #pool = new BlockPool(() => allocateBlocks(TOGETHER, WHOLE_BLOCK_BYTES))

  take(): Uint8Array {
    return this.#pool.take()
  }

  /** Takes back a block, of which `part` is a view. */
  give(part: Uint8Array): void {
    const start = part.byteOffset - (part.byteOffset % WHOLE_BLOCK_BYTES)
    this.#pool.give(new Uint8Array(part.buffer, start, WHOLE_BLOCK_BYTES))
    this.#pool.trim(MAX_IDLE_BYTES)
  }

  clear(): void {
    this.#pool.clear()
  }
}

interface Reader {
  readonly resolve: (result: IteratorResult<Uint8Array>) => void
  readonly reject: (error: Error) => void
}

/** The connection behind a body, as its reader sees it. */
export interface BodySource {
  /** There is room again after there was none. */
  drained(): void
  /** The reader left before the end. */
  left(): void
}

/**
 * A body between its connection, which fills one block, and its one reader, who has the other. A block is valid only
 * until the next one is asked for.
 */
export class BodyBlocks implements AsyncIterableIterator<Uint8Array> {
  readonly #store: BlockStore
  readonly #source: BodySource
  #filling: Uint8Array | null = null
  #filledBytes = 0
  /** So many make the block full. */
  #blockBytes = FIRST_BLOCK_BYTES
  /** Of those that are filled, so many at the start were handed over already, copied. */
  #givenBytes = 0
  /** Full, and not asked for yet. */
  #ready: Uint8Array | null = null
  #lent: Uint8Array | null = null
  #reader: Reader | null = null
  #outcome: { readonly error: Error | null } | null = null
  #isLeft = false

  constructor(store: BlockStore, source: BodySource) {
    this.#store = store
    this.#source = source
  }

  /** A reader waits for bytes. */
  get isAwaited(): boolean {
    return this.#reader !== null
  }

  get hasRoom(): boolean {
    return this.#filledBytes < this.#blockBytes
  }

  /** Where the next bytes of the `leftBytes` go, with one more byte than are left; null while there is no room. */
  room(leftBytes: number): Uint8Array | null {
    if (!this.hasRoom) return null
    this.#filling ??= this.#store.take()
    const end = this.#filledBytes + leftBytes
    return this.#filling.subarray(this.#filledBytes, end > this.#blockBytes ? this.#blockBytes : end + 1)
  }

  /** So many bytes were put into the last `room`. */
  filled(byteCount: number): void {
    this.#filledBytes += byteCount
    if (this.hasRoom || this.#filling === null) return
    if (this.#reader !== null) this.#hand(this.#reader)
    else if (this.#lent === null && this.#ready === null) {
      this.#ready = this.#takeFilled(this.#filling)
    }
  }

  /** Copies as much as there is room for; returns how much that was. */
  append(bytes: Uint8Array): number {
    let takenBytes = 0
    while (takenBytes < bytes.length && this.hasRoom) {
      this.#filling ??= this.#store.take()
      const count = Math.min(bytes.length - takenBytes, this.#blockBytes - this.#filledBytes)
      this.#filling.set(bytes.subarray(takenBytes, takenBytes + count), this.#filledBytes)
      this.filled(count)
      takenBytes += count
    }
    return takenBytes
  }

  end(): void {
    this.#settle(null)
  }

  /** The reader gets what is there, then this. */
  fail(error: Error): void {
    this.#settle(error)
  }

  /** Called from time to time: a slow connection's bytes do not wait longer than that for their block to fill. */
  tick(): void {
    const reader = this.#reader
    if (reader === null || this.#filling === null || !this.#hasBytes) return
    // A copy, because the kernel was told to put the next bytes behind these.
    const copy = this.#store.take()
    copy.set(this.#filling.subarray(this.#givenBytes, this.#filledBytes))
    const value = (this.#lent = copy.subarray(0, this.#filledBytes - this.#givenBytes))
    this.#givenBytes = this.#filledBytes
    this.#reader = null
    reader.resolve({ done: false, value })
  }

  next(): Promise<IteratorResult<Uint8Array>> {
    const [wasFull, lent] = [!this.hasRoom, this.#lent]
    this.#lent = null
    if (lent !== null) this.#store.give(lent)
    return new Promise((resolve, reject) => {
      const reader = { resolve, reject }
      if (this.#isLeft) this.#finish(reader)
      else if (this.#ready !== null) {
        this.#lent = this.#ready
        this.#ready = null
        resolve({ done: false, value: this.#lent })
      } else if (wasFull || (this.#outcome !== null && this.#hasBytes)) this.#hand(reader)
      else if (this.#outcome !== null) this.#finish(reader)
      else this.#reader = reader
      if (wasFull && this.hasRoom && this.#outcome === null) this.#source.drained()
    })
  }

  return(): Promise<IteratorResult<Uint8Array>> {
    const isEarly = !this.#isLeft && this.#outcome === null
    this.#isLeft = true
    // First the connection is ended: until then the kernel may write into a block.
    if (isEarly) this.#source.left()
    this.#giveBack()
    return Promise.resolve({ done: true, value: undefined })
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  #settle(error: Error | null): void {
    if (this.#outcome !== null) return
    this.#outcome = { error }
    const reader = this.#reader
    if (reader === null) return
    if (this.#hasBytes) this.#hand(reader)
    else this.#finish(reader)
  }

  get #hasBytes(): boolean {
    return this.#filledBytes > this.#givenBytes
  }

  #hand(reader: Reader): void {
    if (this.#filling === null) return
    this.#lent = this.#takeFilled(this.#filling)
    this.#reader = null
    reader.resolve({ done: false, value: this.#lent })
  }

  /** What there is to hand over of the block; the next bytes go to another one. */
  #takeFilled(block: Uint8Array): Uint8Array {
    const bytes = block.subarray(this.#givenBytes, this.#filledBytes)
    this.#filling = null
    this.#filledBytes = this.#givenBytes = 0
    this.#blockBytes = BLOCK_BYTES
    return bytes
  }

  #finish(reader: Reader): void {
    const error = this.#isLeft ? null : this.#outcome?.error
    this.#reader = null
    this.#isLeft = true
    this.#giveBack()
    if (error) reader.reject(error)
    else reader.resolve({ done: true, value: undefined })
  }

  #giveBack(): void {
    for (const block of [this.#filling, this.#ready, this.#lent]) if (block !== null) this.#store.give(block)
    this.#filling = this.#ready = this.#lent = null
    this.#filledBytes = this.#givenBytes = 0
  }
}
