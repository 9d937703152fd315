// Building blocks of WebAssembly modules (WebAssembly 2.0, 5: Binary Format), so the repository needs no binary.

export const I32 = 0x7f
export const V128 = 0x7b
export const XOR = simd(0x51)
export const LOOP = [0x03, 0x40]
export const END = 0x0b

/** Builds a module with these functions, in this order, that imports the memory `m.m` of any size. */
export function moduleOf(functions: readonly WasmFunction[]): Uint8Array<ArrayBuffer> {
  const count = functions.length
  const types = section(1, [count, ...functions.flatMap(({ parameters }) => [0x60, ...vector(parameters), 0])])
  const imports = section(2, [1, ...name('m'), ...name('m'), 2, 0, 1])
  const declared = section(3, [count, ...functions.map((_, index) => index)])
  const exports = section(7, [count, ...functions.flatMap((each, index) => [...name(each.name), 0, index])])
  const code = section(10, [count, ...functions.flatMap(({ body }) => vector(body))])
  return new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, ...types, ...imports, ...declared, ...exports, ...code])
}

export interface WasmFunction {
  readonly name: string
  /** The parameters' types. The function returns nothing. */
  readonly parameters: readonly number[]
  /** The function's locals and code, including the final `END`. */
  readonly body: readonly number[]
}

/** An instruction on 16-byte vectors. */
export function simd(opcode: number): number[] {
  return [0xfd, ...unsigned(opcode)]
}

export function read(local: number): number[] {
  return [0x20, ...unsigned(local)]
}

export function write(local: number): number[] {
  return [0x21, ...unsigned(local)]
}

/** Adds `by` to a local. */
export function advance(local: number, by: number): number[] {
  return [...read(local), ...i32Const(by), 0x6a, ...write(local)]
}

/** Jumps to the start of the loop unless the local is 0. */
export function repeatUnlessZero(local: number): number[] {
  return [...read(local), 0x0d, 0]
}

/** A memory operand: the address on the stack plus `offset`. `alignment` may hint the processor about its alignment. */
export function at(offset: number, alignment = 0): number[] {
  return [alignment, ...unsigned(offset)]
}

export function i32Const(value: number): number[] {
  return [0x41, ...signed(value)]
}

/** LEB128. */
export function unsigned(value: number): number[] {
  return value < 0x80 ? [value] : [0x80 | (value & 0x7f), ...unsigned(value >> 7)]
}

function signed(value: number): number[] {
  const isLast = value >= -64 && value < 64
  return isLast ? [value & 0x7f] : [0x80 | (value & 0x7f), ...signed(value >> 7)]
}

function name(text: string): number[] {
  return vector([...Buffer.from(text)])
}

function section(id: number, bytes: readonly number[]): number[] {
  return [id, ...vector(bytes)]
}

function vector(bytes: readonly number[]): number[] {
  return [...unsigned(bytes.length), ...bytes]
}
