import { Buffer } from 'node:buffer'
import { firstIndex } from '../../../shared/first-index.ts'

/**
 * Encodes a name with one character per byte of its UTF-8, so JavaScript's string comparison follows the byte order of
 * listings (UTF-16 order differs above U+FFFF).
 */
export function toByteString(name: string): string {
  return isAscii(name) ? name : Buffer.from(name, 'utf8').toString('latin1')
}

/** Reverses `toByteString`. */
export function fromByteString(byteString: string): string {
  return isAscii(byteString) ? byteString : Buffer.from(byteString, 'latin1').toString('utf8')
}

/** Names as byte strings, in the order of their UTF-8 bytes. Sorted once, on first use, then kept in order. */
export class SortedNames {
  readonly #source: Iterable<string>
  #sorted: string[] | null = null

  /** `source` yields the existing names when the order is first needed. */
  constructor(source: Iterable<string>) {
    this.#source = source
  }

  get length(): number {
    return this.#names().length
  }

  at(index: number): string | undefined {
    return this.#names()[index]
  }

  /** Returns the index of the first name that is not below `bound`. */
  indexFrom(bound: string): number {
    const names = this.#names()
    return firstIndex(0, names.length, (index) => (names[index] ?? '') >= bound)
  }

  add(name: string): void {
    if (this.#sorted === null) return
    const byteString = toByteString(name)
    const index = this.indexFrom(byteString)
    if (this.#sorted[index] !== byteString) this.#sorted.splice(index, 0, byteString)
  }

  delete(name: string): void {
    if (this.#sorted === null) return
    const byteString = toByteString(name)
    const index = this.indexFrom(byteString)
    if (this.#sorted[index] === byteString) this.#sorted.splice(index, 1)
  }

  #names(): string[] {
    this.#sorted ??= Array.from(this.#source, toByteString).sort((one, other) =>
      one < other ? -1 : one > other ? 1 : 0,
    )
    return this.#sorted
  }
}

function isAscii(text: string): boolean {
  // eslint-disable-next-line no-control-regex -- all of ASCII is meant, control characters too
  return /^[\x00-\x7f]*$/.test(text)
}
