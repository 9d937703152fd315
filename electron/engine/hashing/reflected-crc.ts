/** A digest that takes its bytes block by block. */
export interface RunningDigest {
  update(bytes: Uint8Array): void
  /** Hex of all that was added; of a CRC the highest byte first. */
  digest(encoding: 'hex'): string
}

/** A polynomial in reflected bit order, as two halves of 32 bits, and the length of its CRC in bits. */
interface CrcModel {
  readonly low: number
  readonly high: number
  readonly bits: 32 | 64
}

/**
 * CRC-32C (RFC 3720, 12.1) and CRC-64/NVME (NVM Express, NVM Command Set Specification 1.0, 5.2.1.3.4): all ones in,
 * inverted out.
 */
const MODELS = {
  crc32c: { low: 0x82f63b78, high: 0, bits: 32 },
  crc64nvme: { low: 0xac4bc9b5, high: 0x9a6c9329, bits: 64 },
} as const satisfies Record<string, CrcModel>

type CrcAlgorithm = keyof typeof MODELS

/** Eight bytes are processed per step, each with a table of its own. */
const STRIDE = 8

/** Entry `256 · k + b`: the remainder that byte `b` followed by `k` zero bytes leaves. */
interface Tables {
  readonly low: Int32Array
  readonly high: Int32Array
}

const tables = new Map<CrcAlgorithm, Tables>()

/** Begins a CRC for which Node has no code. */
export function createCrc(algorithm: CrcAlgorithm): RunningDigest {
  const { bits } = MODELS[algorithm]
  const known = tables.get(algorithm) ?? tablesOf(MODELS[algorithm])
  tables.set(algorithm, known)
  let low = -1
  let high = bits === 64 ? -1 : 0
  return {
    update(bytes) {
      ;[low, high] = added(known, low, high, bytes)
    },
    digest: () => (bits === 64 ? hexOf(~high) : '') + hexOf(~low),
  }
}

function added({ low: lows, high: highs }: Tables, low: number, high: number, bytes: Uint8Array): [number, number] {
  const wholeEnd = bytes.length - (bytes.length % STRIDE)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  let at = 0
  for (; at < wholeEnd; at += STRIDE) {
    const a = low ^ view.getInt32(at, true)
    const b = high ^ view.getInt32(at + 4, true)
    const i0 = 1792 + (a & 255)
    const i1 = 1536 + ((a >>> 8) & 255)
    const i2 = 1280 + ((a >>> 16) & 255)
    const i3 = 1024 + (a >>> 24)
    const i4 = 768 + (b & 255)
    const i5 = 512 + ((b >>> 8) & 255)
    const i6 = 256 + ((b >>> 16) & 255)
    const i7 = b >>> 24
    low = of(lows, i0) ^ of(lows, i1) ^ of(lows, i2) ^ of(lows, i3)
    low ^= of(lows, i4) ^ of(lows, i5) ^ of(lows, i6) ^ of(lows, i7)
    high = of(highs, i0) ^ of(highs, i1) ^ of(highs, i2) ^ of(highs, i3)
    high ^= of(highs, i4) ^ of(highs, i5) ^ of(highs, i6) ^ of(highs, i7)
  }
  for (; at < bytes.length; at += 1) {
    const index = (low ^ of(bytes, at)) & 255
    low = ((low >>> 8) | (high << 24)) ^ of(lows, index)
    high = (high >>> 8) ^ of(highs, index)
  }
  return [low, high]
}

/** The element at an index that is in range. */
function of(values: Int32Array | Uint8Array, index: number): number {
  return values[index] as number
}

function tablesOf(model: CrcModel): Tables {
  const low = new Int32Array(256 * STRIDE)
  const high = new Int32Array(256 * STRIDE)
  for (let byte = 0; byte < 256; byte += 1) {
    let [l, h] = [byte, 0]
    for (let bit = 0; bit < 8; bit += 1) {
      const isOdd = l & 1
      l = (l >>> 1) | (h << 31)
      h >>>= 1
      if (isOdd) [l, h] = [l ^ model.low, h ^ model.high]
    }
    low[byte] = l
    high[byte] = h
  }
  for (let index = 256; index < low.length; index += 1) {
    const [l, h] = [of(low, index - 256), of(high, index - 256)]
    low[index] = ((l >>> 8) | (h << 24)) ^ of(low, l & 255)
    high[index] = (h >>> 8) ^ of(high, l & 255)
  }
  return { low, high }
}

function hexOf(word: number): string {
  return (word >>> 0).toString(16).padStart(8, '0')
}
