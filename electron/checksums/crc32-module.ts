import { advance, at, END, I32, LOOP, moduleOf, read, repeatUnlessZero, simd, XOR } from './wasm-code.ts'

/**
 * The polynomial of CRC-32 (IEEE 802.3) has multiples of four terms that are whole bytes apart. This one is
 * x^(8·4018) + x^(8·2091) + x^(8·1837) + 1: modulo the polynomial, a byte is worth the same as three copies of it, so
 * many bytes further on. (Of the eleven up to 6,000 bytes it is the one with the nearest last copy whose first is far
 * enough to have left the processor's store buffer.)
 */
const COPIES = [1927, 2181, 4018] as const

/** How far a byte reaches. */
export const REACH_BYTES = COPIES[2]

/** Bytes of a step. */
export const STEP_BYTES = 128

const VECTOR_BYTES = 16

/** Parameters. */
const DATA = 0
const BEFORE = 1
const OUT = 2
const STEPS = 3

/**
 * A WebAssembly module that replaces bytes by their copies, whose CRC-32 is the same. It imports the memory `m.m` and
 * exports `fold` of (data, before, out, steps), addresses and steps of `STEP_BYTES`, one at least: out[i] becomes
 * data[i] and what has reached it, of the `REACH_BYTES` from `before` on and of what follows them. Where `out` follows
 * them itself, bytes reach on.
 */
export function crc32Module(): Uint8Array<ArrayBuffer> {
  const vectors = Array.from({ length: STEP_BYTES / VECTOR_BYTES }, (_, index) => index * VECTOR_BYTES)
  const fold = [
    ...[0, ...LOOP],
    ...vectors.flatMap((offset) => [
      ...[...read(OUT), ...load(DATA, offset)],
      ...COPIES.flatMap((distance) => [...load(BEFORE, REACH_BYTES - distance + offset), ...XOR]),
      ...[...simd(0x0b), ...at(offset)],
    ]),
    ...[DATA, BEFORE, OUT].flatMap((local) => advance(local, STEP_BYTES)),
    ...[...advance(STEPS, -1), ...repeatUnlessZero(STEPS), END, END],
  ]
  return moduleOf([{ name: 'fold', parameters: [I32, I32, I32, I32], body: fold }])
}

function load(local: number, offset: number): number[] {
  return [...read(local), ...simd(0x00), ...at(offset)]
}
