import { allocateBlocks } from '../../../checksums/block-memory.ts'
import { BlockPool } from '../../../checksums/block-pool.ts'

/** Size of the blocks in which a body is handed over, except on slow connections and for the last block. */
const BLOCK_BYTES = 512 * 1024

/** The first block is handed over at this size, which shows early how fast the connection is. */
const FIRST_BLOCK_BYTES = 256 * 1024

/** How many blocks are allocated together. */
const TOGETHER = 8

/** One spare byte detects a server that sends more than it announced; the other 63 align the next block. */
const WHOLE_BLOCK_BYTES = BLOCK_BYTES + 64

/** How much memory stays allocated while no body uses it: 32 blocks and the scratch space for folding them. */
const MAX_IDLE_BYTES = 33 * BLOCK_BYTES

/** Blocks that no body is using, ready for the next one. */
export class BlockStore {
  readonly #pool = new BlockPool(() => allocateBlocks(TOGETHER, WHOLE_BLOCK_BYTES))

  take(): Uint8Array {
    return this.#pool.take()
  }

  /** Takes back a block; `part` is a view of it. */
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

/** The connection behind a body, as the body's reader sees it. */
export interface BodySource {
  /** There is room again after there was none. */
  drained(): void
  /** The reader has left before the end. */
  left(): void
}

/**
 * A body between its connection, which fills one block, and its one reader, who holds the other. A block is valid only
 * until the next one is requested.
 */
export class BodyBlocks implements AsyncIterableIterator<Uint8Array> {
  readonly #store: BlockStore
  readonly #source: BodySource
  #filling: Uint8Array | null = null
  #filledBytes = 0
  /** The number of bytes that make the block full. */
  #blockBytes = FIRST_BLOCK_BYTES
  /** How many of the filled bytes were already handed over, as a copy. */
  #givenBytes = 0
  /** A full block that was not requested yet. */
  #ready: Uint8Array | null = null
  #lent: Uint8Array | null = null
  #reader: Reader | null = null
  #outcome: { readonly error: Error | null } | null = null
  #isLeft = false

  constructor(store: BlockStore, source: BodySource) {
    this.#store = store
    this.#source = source
  }

  /** A reader is waiting for bytes. */
  get isAwaited(): boolean {
    return this.#reader !== null
  }

  get hasRoom(): boolean {
    return this.#filledBytes < this.#blockBytes
  }

  /** Where the next of the `leftBytes` bytes go, plus one byte that detects an excess; null while there is no room. */
  room(leftBytes: number): Uint8Array | null {
    if (!this.hasRoom) return null
    this.#filling ??= this.#store.take()
    const end = this.#filledBytes + leftBytes
    return this.#filling.subarray(this.#filledBytes, end > this.#blockBytes ? this.#blockBytes : end + 1)
  }

  /** Reports how many bytes were put into the last `room`. */
  filled(byteCount: number): void {
    this.#filledBytes += byteCount
    if (this.hasRoom || this.#filling === null) return
    if (this.#reader !== null) this.#hand(this.#reader)
    else if (this.#lent === null && this.#ready === null) {
      this.#ready = this.#takeFilled(this.#filling)
    }
  }

  /** Copies as many bytes as there is room for and returns how many that was. */
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

  /** The reader gets the bytes that are here, then this error. */
  fail(error: Error): void {
    this.#settle(error)
  }

  /** Called regularly: bytes of a slow connection wait no longer than one tick for their block to fill. */
  tick(): void {
    const reader = this.#reader
    if (reader === null || this.#filling === null || !this.#hasBytes) return
    // Hands over a copy, because the kernel was told to put the next bytes behind these.
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
    // The connection must end first: until then the kernel may write into a block.
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

  /** Takes the bytes of the block that were not handed over yet; the next bytes go to another block. */
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
