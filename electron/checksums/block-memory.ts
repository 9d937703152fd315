import { crc32Module, REACH_BYTES, STEP_BYTES } from './crc32-module.ts'

/** Shorter data is not worth folding. */
const MIN_BYTES = 32 * 1024
/** How much is folded at a time, so it stays in the processor's cache. A multiple of a step. */
const CHUNK_BYTES = 32 * 1024
const PAGE_BYTES = 64 * 1024
const SCRATCH_BYTES = REACH_BYTES + CHUNK_BYTES + REACH_BYTES + 2 * STEP_BYTES

/** Compiled when first needed; null when zlib is faster, or when WebAssembly has no SIMD. */
let code: WebAssembly.Module | null | undefined

const memories = new WeakMap<ArrayBufferLike, BlockMemory>()

/**
 * Allocates blocks whose CRC-32 can be computed fast. They lie side by side in one piece of memory, which is freed once
 * none of them is in use. Where this gains nothing or is not available, each block is a buffer of its own.
 */
export function allocateBlocks(count: number, blockBytes: number): Uint8Array<ArrayBuffer>[] {
  const memory = createMemory(count * blockBytes)
  return Array.from({ length: count }, (_, index) =>
    memory === null
      ? new Uint8Array(Buffer.allocUnsafeSlow(blockBytes).buffer)
      : new Uint8Array(memory.buffer, index * blockBytes, blockBytes),
  )
}

/**
 * Reduces `data` to a few thousand bytes whose CRC-32, computed from an empty start, equals that of `data` continued
 * from `previous`. The result is valid until the next call; null where the CRC-32 of `data` itself is as fast.
 */
export function foldedForCrc32(data: Uint8Array, previous: number): Uint8Array | null {
  if (data.length < MIN_BYTES) return null
  return memories.get(data.buffer)?.fold(data.byteOffset, data.length, previous) ?? null
}

function createMemory(blocksBytes: number): WebAssembly.Memory | null {
  if (code === undefined) code = compile()
  if (code === null) return null
  const pages = Math.ceil((blocksBytes + SCRATCH_BYTES) / PAGE_BYTES)
  try {
    const memory = new WebAssembly.Memory({ initial: pages, maximum: pages })
    memories.set(memory.buffer, new BlockMemory(memory, code, blocksBytes))
    return memory
  } catch (error) {
    // V8 reserves gigabytes of address space around a memory, which a resource limit of the process may not allow.
    if (error instanceof RangeError) return null
    throw error
  }
}

function compile(): WebAssembly.Module | null {
  // Electron's zlib uses carry-less multiplication, which is faster; Node's zlib uses tables.
  if (process.versions.electron !== undefined) return null
  const bytes = crc32Module()
  return WebAssembly.validate(bytes) ? new WebAssembly.Module(bytes) : null
}

type Fold = (data: number, before: number, out: number, steps: number) => void

/** One piece of memory: the blocks, then scratch space for folding them. */
class BlockMemory {
  readonly #memory: WebAssembly.Memory
  readonly #code: WebAssembly.Module
  readonly #bytes: Buffer
  readonly #scratch: number
  #fold: Fold | null = null

  constructor(memory: WebAssembly.Memory, code: WebAssembly.Module, scratch: number) {
    this.#memory = memory
    this.#code = code
    this.#bytes = Buffer.from(memory.buffer)
    this.#scratch = scratch
  }

  /** Does the work of `foldedForCrc32`; `sizeBytes` is at least `REACH_BYTES`. */
  fold(start: number, sizeBytes: number, previous: number): Uint8Array {
    const fold = (this.#fold ??= this.#instance())
    const before = this.#scratch
    const after = before + REACH_BYTES
    const out = after + CHUNK_BYTES
    const end = start + sizeBytes
    this.#bytes.fill(0, before, after)
    // The data before this is worth the same as its CRC in place of the first four bytes, whose copies land here.
    this.#bytes.writeInt32LE(~previous, before)
    let at = start
    for (let left = sizeBytes; left - STEP_BYTES >= REACH_BYTES; left = end - at) {
      const steps = Math.floor(Math.min(left - REACH_BYTES, CHUNK_BYTES) / STEP_BYTES)
      fold(at, before, after, steps)
      const foldedBytes = steps * STEP_BYTES
      at += foldedBytes
      this.#bytes.copyWithin(before, before + foldedBytes, after + foldedBytes)
    }
    // The remaining bytes must not be copied any further.
    const restBytes = end - at
    const restSteps = Math.ceil(restBytes / STEP_BYTES)
    this.#bytes.fill(0, after, after + REACH_BYTES)
    fold(at, before, out, restSteps)
    return this.#bytes.subarray(out, out + restBytes)
  }

  #instance(): Fold {
    return new WebAssembly.Instance(this.#code, { m: { m: this.#memory } }).exports['fold'] as Fold
  }
}
