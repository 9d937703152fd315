import {
  advance,
  at,
  END,
  I32,
  i32Const,
  LOOP,
  moduleOf,
  read,
  repeatUnlessZero,
  simd,
  unsigned,
  V128,
  write,
  XOR,
} from '../../checksums/wasm-code.ts'

/**
 * A WebAssembly module that takes blocks of 64 bytes into the MD5s of 4 or 8 independent streams at once (RFC 1321;
 * SIMD of WebAssembly 2.0). A lane of a vector is a stream. Two vectors of 4 streams take each step in turn, because a
 * single one waits for its own results. The module imports the memory `m.m` and exports `md5x4` and `md5x8` of (blocks:
 * i32), whose data lies where `MD5_LAYOUT` says.
 */
export function md5Module(): Uint8Array<ArrayBuffer> {
  return moduleOf([
    { name: 'md5x4', parameters: [I32], body: body(1) },
    { name: 'md5x8', parameters: [I32], body: body(2) },
  ])
}

/** Addresses in the module's memory, bytes. */
export const MD5_LAYOUT = {
  /** The 64 constants, 32 bits each, as `md5Constants` gives them. */
  constants: 0,
  /** For each vector of 4 streams: A, B, C and D, each with a word of all 4. */
  states: 256,
  /** Address of the next block of each of 8 streams, 32 bits each. The code doesn't change them. */
  pointers: 384,
  /** The rest is free. */
  end: 512,
} as const

/** The constants of the 64 steps; those of the last round are one less, which saves it a complement. */
export function md5Constants(): Uint32Array {
  return Uint32Array.from({ length: 64 }, (_, step) => {
    const constant = Math.floor(Math.abs(Math.sin(step + 1)) * 2 ** 32)
    return step < 48 ? constant : constant - 1
  })
}

const SHIFTS = [
  [7, 12, 17, 22],
  [5, 9, 14, 20],
  [4, 11, 16, 23],
  [6, 10, 15, 21],
] as const

type Quad = [number, number, number, number]

/** Locals: the parameter, 8 addresses, then for each set A to D, A to D before the block, 16 words and 5 others. */
const BLOCKS = 0
const pointer = (set: number, lane: number): number => 1 + 4 * set + lane
const setBase = (set: number): number => 9 + 29 * set
const register = (set: number, index: number): number => setBase(set) + (index & 3)
const before = (set: number, index: number): number => setBase(set) + 4 + index
const word = (set: number, index: number): number => setBase(set) + 8 + index
const scratch = (set: number, index: number): number => setBase(set) + 24 + index

function body(setCount: number): number[] {
  const sets = Array.from({ length: setCount }, (_, set) => set)
  const lanes = [0, 1, 2, 3]
  return [
    ...[2, 8, I32, ...unsigned(29 * setCount), V128],
    ...sets.flatMap((set) => lanes.flatMap((lane) => loadPointer(set, lane))),
    ...sets.flatMap((set) => lanes.flatMap((index) => [...loadState(set, index), ...write(register(set, index))])),
    // For each block.
    ...LOOP,
    ...sets.flatMap((set) => lanes.flatMap((index) => copy(register(set, index), before(set, index)))),
    ...Array.from({ length: 64 }, (_, step) => [
      ...(step < 16 && step % 4 === 0 ? sets.flatMap((set) => loadWords(set, step)) : []),
      ...sets.flatMap((set) => md5Step(set, step)),
    ]).flat(),
    ...sets.flatMap((set) => lanes.flatMap((index) => addBefore(set, index))),
    ...sets.flatMap((set) => lanes.flatMap((lane) => advance(pointer(set, lane), 64))),
    ...[...advance(BLOCKS, -1), ...repeatUnlessZero(BLOCKS), END],
    ...sets.flatMap((set) => lanes.flatMap((index) => storeState(set, index))),
    END,
  ]
}

/** A += f(B, C, D) + word + constant; A = B + (A rotated). The names move on by one register per step. */
function md5Step(set: number, step: number): number[] {
  const round = step >> 4
  const [a, b, c, d] = ([0, 1, 2, 3] as const).map((index) => register(set, index - step)) as Quad
  const sum = scratch(set, 4)
  const shift = SHIFTS[round]?.[step & 3] ?? 0
  return [
    ...[...read(a), ...read(word(set, wordOf(step))), ...ADD, ...constant(step), ...ADD],
    ...mixed(round, step, { b, c, d, shared: scratch(set, 3) }),
    ...[...write(sum), ...read(sum), ...i32Const(shift), ...SHL, ...read(sum), ...i32Const(32 - shift), ...SHR, ...OR],
    ...[...read(b), ...ADD, ...write(a)],
  ]
}

function wordOf(step: number): number {
  const [factor, offset] = (
    [
      [1, 0],
      [5, 1],
      [3, 5],
      [7, 0],
    ] as const
  )[step >> 4] ?? [0, 0]
  return (factor * step + offset) & 15
}

interface MixRegisters {
  readonly b: number
  readonly c: number
  readonly d: number
  /** Keeps B ^ C for the next step, where it is C ^ D. */
  readonly shared: number
}

/** Adds the round's function to what is on the stack. */
function mixed(round: number, step: number, { b, c, d, shared }: MixRegisters): number[] {
  switch (round) {
    case 0:
      return [...read(c), ...read(d), ...read(b), ...SELECT, ...ADD]
    case 1:
      // The function's two halves have no bit in common: each is added by itself, the one without B first.
      return [...read(c), ...read(d), ...AND_NOT, ...ADD, ...read(b), ...read(d), ...AND, ...ADD]
    case 2:
      return step % 2 === 0
        ? [...read(b), ...read(c), ...XOR, ...write(shared), ...read(shared), ...read(d), ...XOR, ...ADD]
        : [...read(b), ...read(shared), ...XOR, ...ADD]
    default:
      // C ^ (B | ~D) is -(C ^ (D & ~B)) - 1.
      return [...read(c), ...read(d), ...read(b), ...AND_NOT, ...XOR, ...SUB]
  }
}

/** Loads 16 bytes of each of 4 streams and transposes them into 4 words, each of all streams. */
function loadWords(set: number, first: number): number[] {
  const rows = [0, 1, 2, 3].map((lane) => scratch(set, lane === 3 ? 4 : lane))
  const [r0, r1, r2, r3] = rows as Quad
  const load = (lane: number): number[] => [...read(pointer(set, lane)), ...simd(0x00), ...at(first * 4)]
  const to = [0, 1, 2, 3].map((index) => word(set, first + index)) as Quad
  return [
    ...rows.flatMap((row, lane) => [...load(lane), ...write(row)]),
    ...[...read(r0), ...read(r1), ...shuffle(0, 4, 1, 5), ...write(to[0])],
    ...[...read(r2), ...read(r3), ...shuffle(0, 4, 1, 5), ...write(to[1])],
    ...[...read(r0), ...read(r1), ...shuffle(2, 6, 3, 7), ...write(to[2])],
    ...[...read(r2), ...read(r3), ...shuffle(2, 6, 3, 7), ...write(to[3])],
    ...[...read(to[0]), ...read(to[1]), ...shuffle(2, 3, 6, 7), ...write(r0)],
    ...[...read(to[0]), ...read(to[1]), ...shuffle(0, 1, 4, 5), ...write(to[0])],
    ...[...copy(r0, to[1])],
    ...[...read(to[2]), ...read(to[3]), ...shuffle(2, 3, 6, 7), ...write(r0)],
    ...[...read(to[2]), ...read(to[3]), ...shuffle(0, 1, 4, 5), ...write(to[2])],
    ...[...copy(r0, to[3])],
  ]
}

function loadPointer(set: number, lane: number): number[] {
  const address = MD5_LAYOUT.pointers + 4 * (4 * set + lane)
  return [...i32Const(0), 0x28, ...at(address, 2), ...write(pointer(set, lane))]
}

function loadState(set: number, index: number): number[] {
  return [...i32Const(0), ...simd(0x00), ...at(stateAddress(set, index), 4)]
}

function storeState(set: number, index: number): number[] {
  return [...i32Const(0), ...read(register(set, index)), ...simd(0x0b), ...at(stateAddress(set, index), 4)]
}

function stateAddress(set: number, index: number): number {
  return MD5_LAYOUT.states + 64 * set + 16 * index
}

function addBefore(set: number, index: number): number[] {
  return [...read(register(set, index)), ...read(before(set, index)), ...ADD, ...write(register(set, index))]
}

function constant(step: number): number[] {
  return [...i32Const(0), ...simd(0x09), ...at(MD5_LAYOUT.constants + 4 * step, 2)]
}

const ADD = simd(0xae)
const SUB = simd(0xb1)
const SHL = simd(0xab)
const SHR = simd(0xad)
const AND = simd(0x4e)
const AND_NOT = simd(0x4f)
const OR = simd(0x50)
const SELECT = simd(0x52)

/** Picks words of two vectors: 0 to 3 are of the first, 4 to 7 of the second. */
function shuffle(...words: readonly number[]): number[] {
  return [...simd(0x0d), ...words.flatMap((index) => [0, 1, 2, 3].map((byte) => 4 * index + byte))]
}

function copy(from: number, to: number): number[] {
  return [...read(from), ...write(to)]
}
