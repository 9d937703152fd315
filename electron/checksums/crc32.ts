import { crc32 as zlibCrc32 } from 'node:zlib'
import { foldedForCrc32 } from './block-memory.ts'

/** Makes zlib start as if there were no bytes before and no inversion. */
const BARE = 0xffff_ffff

/** CRC-32 (IEEE 802.3) of `data`, continuing from `previous`; unsigned. Fastest on blocks from `allocateBlocks`. */
export function crc32(data: Uint8Array, previous = 0): number {
  // zlib takes an empty buffer for a request for the initial value and forgets what came before.
  if (data.length === 0) return previous
  const folded = foldedForCrc32(data, previous)
  return folded === null ? zlibCrc32(data, previous) : zlibCrc32(folded, BARE)
}

/** CRC-32 of A followed by B, from the CRC-32 of each and the length of B in bytes. */
export function crc32Combine(crcA: number, crcB: number, lengthB: number): number {
  // Appending a zero byte to A multiplies its CRC by x^8 modulo the polynomial; lengthB zero bytes make a power of x^8.
  let factor = X_POW_8
  let shifted = crcA
  for (let remaining = lengthB; remaining > 0; remaining = Math.floor(remaining / 2)) {
    if (remaining % 2 === 1) shifted = multiply(shifted, factor)
    factor = multiply(factor, factor)
  }
  return (shifted ^ crcB) >>> 0
}

/** The polynomial in the bit order of CRC-32, in which the highest bit is x^0. */
const POLYNOMIAL = 0xedb88320
const X_POW_8 = 0x00800000

/** Product of two polynomials over GF(2), modulo POLYNOMIAL. */
function multiply(a: number, b: number): number {
  let product = 0
  let shifted = b
  for (let bit = 31; bit >= 0; bit -= 1) {
    if ((a >>> bit) & 1) product ^= shifted
    shifted = shifted & 1 ? (shifted >>> 1) ^ POLYNOMIAL : shifted >>> 1
  }
  return product >>> 0
}
