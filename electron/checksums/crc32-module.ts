import { advance, at, END, I32, LOOP, moduleOf, read, repeatUnlessZero, simd, XOR } from './wasm-code.ts'

/**
 * The polynomial of CRC-32 (IEEE 802.3) has multiples of just four terms that lie whole bytes apart. This one is
 * x^(8·4018) + x^(8·2091) + x^(8·1837) + 1: modulo the polynomial, a byte is worth the same as three copies of itself,
 * this many bytes further on. (Of the eleven such multiples up to 6,000 bytes, it has the nearest last copy among those
 * whose first copy is far enough away to have left the processor's store buffer.)
 */
const COPIES = [1927, 2181, 4018] as const

/** How far ahead the last copy of a byte lies. */
export const REACH_BYTES = COPIES[2]

/** Bytes per step. */
export const STEP_BYTES = 128

const VECTOR_BYTES = 16

/** Indexes of the function's parameters. */
const DATA = 0
const BEFORE = 1
const OUT = 2
const STEPS = 3

/**
 * Builds a WebAssembly module that replaces bytes by copies with the same CRC-32. It imports the memory `m.m` and
 * exports `fold(data, before, out, steps)`: three addresses and at least one step of `STEP_BYTES`. out[i] becomes
 * data[i] XOR the bytes whose copies land there; those are read from the `REACH_BYTES` at `before` and what follows
 * them. If `out` directly follows those bytes, its own bytes are copied onward too.
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
