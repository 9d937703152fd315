import { MD5_LAYOUT, md5Constants, md5Module } from './md5-module.ts'

/** How many streams are hashed together at most. */
export const MD5_LANES = 8
/** The most bytes of a stream hashed at a time: all lanes together stay in the processor's cache. A multiple of 64. */
export const LANE_BYTES = 32 * 1024

const BLOCK_BYTES = 64
/** What RFC 1321 adds after the last byte: 1 to 64 bytes, then 8 for the length. */
const MAX_PADDING_BYTES = 2 * BLOCK_BYTES
const SLOT_BYTES = LANE_BYTES + MAX_PADDING_BYTES
const FIRST_SLOT = 4096
const PAGE_BYTES = 64 * 1024
/** Made when first needed: a thread that hashes a single stream does without it. */
let made: Uint8Array<ArrayBuffer> | undefined
const moduleBytes = (): Uint8Array<ArrayBuffer> => (made ??= md5Module())
const INITIAL_STATE = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476] as const

/** The MD5 of a stream in progress. */
export interface Md5Stream {
  readonly words: Uint32Array
  sizeBytes: number
}

/** The content of a lane's slot. */
export interface LaneFill {
  readonly stream: Md5Stream
  /** 0 to LANE_BYTES; a multiple of 64 unless `isLast`. */
  readonly sizeBytes: number
  readonly isLast: boolean
}

/**
 * Takes the bytes of up to 8 streams into their MD5s at once, which costs little more than one: parts of an upload are
 * independent streams. The caller puts their bytes into the slots first.
 */
export interface Md5Lanes {
  /** Where the bytes of lane 0 to 7 go, LANE_BYTES long. */
  readonly slots: readonly Uint8Array[]
  /** Hashes what `fills` says, slot by slot; slots after the last are left alone. */
  hash(fills: readonly LaneFill[]): void
}

export function startMd5(): Md5Stream {
  return { words: Uint32Array.from(INITIAL_STATE), sizeBytes: 0 }
}

/** The hex digest, once the last bytes are hashed. */
export function md5Digest({ words }: Md5Stream): string {
  const bytes = Buffer.alloc(16)
  words.forEach((word, index) => bytes.writeUInt32LE(word, 4 * index))
  return bytes.toString('hex')
}

/** False if WebAssembly has no SIMD: then OpenSSL is quicker. */
export function hasMd5Lanes(): boolean {
  return WebAssembly.validate(moduleBytes())
}

/** Check `hasMd5Lanes` first: without SIMD the first `hash` throws a CompileError. */
export function createMd5Lanes(): Md5Lanes {
  const pages = Math.ceil((FIRST_SLOT + MD5_LANES * SLOT_BYTES) / PAGE_BYTES)
  const memory = new WebAssembly.Memory({ initial: pages, maximum: pages })
  const words = new Uint32Array(memory.buffer)
  const bytes = new Uint8Array(memory.buffer)
  words.set(md5Constants(), MD5_LAYOUT.constants / 4)
  let instance: Record<'md5x4' | 'md5x8', (blocks: number) => void> | null = null

  function code(): Record<'md5x4' | 'md5x8', (blocks: number) => void> {
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(moduleBytes()), { m: { m: memory } })
    return exports as Record<'md5x4' | 'md5x8', (blocks: number) => void>
  }

  function put(lane: number, { words: state }: Md5Stream, address: number): void {
    state.forEach((word, index) => (words[stateIndex(lane, index)] = word))
    words[MD5_LAYOUT.pointers / 4 + lane] = address
  }

  function take(lane: number, { words: state }: Md5Stream): void {
    state.forEach((_, index) => (state[index] = words[stateIndex(lane, index)] ?? 0))
  }

  return {
    slots: Array.from({ length: MD5_LANES }, (_, lane) => bytes.subarray(slotAt(lane), slotAt(lane) + LANE_BYTES)),
    hash(fills) {
      let rest = fills.map((fill, lane) => ({
        stream: fill.stream,
        address: slotAt(lane),
        blocks: blocksOf(fill, bytes.subarray(slotAt(lane), slotAt(lane) + SLOT_BYTES)),
      }))
      for (;;) {
        rest = rest.filter(({ blocks }) => blocks > 0)
        const [first] = rest
        if (first === undefined) return
        const blocks = Math.min(...rest.map((each) => each.blocks))
        const isWide = rest.length > MD5_LANES / 2
        // A lane without a stream repeats the first one, and its result is ignored.
        for (let lane = 0; lane < (isWide ? MD5_LANES : MD5_LANES / 2); lane += 1) {
          const { stream, address } = rest[lane] ?? first
          put(lane, stream, address)
        }
        instance ??= code()
        instance[isWide ? 'md5x8' : 'md5x4'](blocks)
        rest.forEach(({ stream }, lane) => take(lane, stream))
        rest = rest.map((each) => ({
          ...each,
          address: each.address + blocks * BLOCK_BYTES,
          blocks: each.blocks - blocks,
        }))
      }
    },
  }
}

/** Counts the bytes, pads the last ones, and returns how many blocks they make. */
function blocksOf({ stream, sizeBytes, isLast }: LaneFill, slot: Uint8Array): number {
  if (!isLast && sizeBytes % BLOCK_BYTES !== 0) throw new RangeError('Only the last piece may end within a block')
  stream.sizeBytes += sizeBytes
  if (!isLast) return sizeBytes / BLOCK_BYTES
  const blocks = Math.ceil((sizeBytes + 9) / BLOCK_BYTES)
  const end = blocks * BLOCK_BYTES
  slot.fill(0, sizeBytes, end)
  slot[sizeBytes] = 0x80
  new DataView(slot.buffer, slot.byteOffset).setBigUint64(end - 8, BigInt(stream.sizeBytes) * 8n, true)
  return blocks
}

function slotAt(lane: number): number {
  return FIRST_SLOT + lane * SLOT_BYTES
}

function stateIndex(lane: number, index: number): number {
  return (MD5_LAYOUT.states + 64 * (lane >> 2) + 16 * index) / 4 + (lane & 3)
}
