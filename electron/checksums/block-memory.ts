import { crc32Module, REACH_BYTES, STEP_BYTES } from './crc32-module.ts'

/** Shorter bytes aren't worth it. */
const MIN_BYTES = 32 * 1024
/** Folded at a time, so that it stays in the processor's cache. A multiple of a step. */
const CHUNK_BYTES = 32 * 1024
const PAGE_BYTES = 64 * 1024
const SCRATCH_BYTES = REACH_BYTES + CHUNK_BYTES + REACH_BYTES + 2 * STEP_BYTES

/** Made when first needed; null where zlib is quicker, or WebAssembly has no SIMD. */
let code: WebAssembly.Module | null | undefined

const memories = new WeakMap<ArrayBufferLike, BlockMemory>()

/**
 * Blocks whose CRC-32 is taken quickly, side by side in one piece of memory, which is freed when none of them is used any
 * more. Where that gains nothing, or can't be had, each is a buffer of its own.
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
 * A few thousand bytes with a CRC-32 that, going on from that of nothing, is the one of `data` going on from
 * `previous`; valid until the next call. Null where taking that of `data` itself is as good.
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
    // V8 reserves gigabytes of addresses around a memory, which a limit of the process may not have.
    if (error instanceof RangeError) return null
    throw error
  }
}

function compile(): WebAssembly.Module | null {
  // Electron's zlib multiplies without carry, which is quicker; that of Node has tables.
  if (process.versions.electron !== undefined) return null
  const bytes = crc32Module()
  return WebAssembly.validate(bytes) ? new WebAssembly.Module(bytes) : null
}

type Fold = (data: number, before: number, out: number, steps: number) => void

/** A piece of memory: the blocks, then room for folding them. */
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

  /** What is asked of `foldedForCrc32`; `sizeBytes` is `REACH_BYTES` at least. */
  fold(start: number, sizeBytes: number, previous: number): Uint8Array {
    const fold = (this.#fold ??= this.#instance())
    const before = this.#scratch
    const after = before + REACH_BYTES
    const out = after + CHUNK_BYTES
    const end = start + sizeBytes
    this.#bytes.fill(0, before, after)
    // What was added before is worth the same as its CRC in the place of the first four bytes, which those here reach.
    this.#bytes.writeInt32LE(~previous, before)
    let at = start
    for (let left = sizeBytes; left - STEP_BYTES >= REACH_BYTES; left = end - at) {
      const steps = Math.floor(Math.min(left - REACH_BYTES, CHUNK_BYTES) / STEP_BYTES)
      fold(at, before, after, steps)
      const foldedBytes = steps * STEP_BYTES
      at += foldedBytes
      this.#bytes.copyWithin(before, before + foldedBytes, after + foldedBytes)
    }
    // Bytes of the rest reach nothing.
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
