import { ProtocolError } from './network-error.ts'

const INITIAL_BYTES = 64 * 1024
const LF = 0x0a
const HEAD_END = Buffer.from('\r\n\r\n')
const HEAD_START = Buffer.from('HTTP/1.')

/** Bytes of a connection that were not looked at yet: heads, chunk sizes, and what comes with them. */
export class ReceiveBuffer {
  #bytes: Buffer = Buffer.allocUnsafeSlow(INITIAL_BYTES)
  #start = 0
  #end = 0
  /** Up to here no end of a head was found. */
  #searched = 0

  get isEmpty(): boolean {
    return this.#start === this.#end
  }

  /** Where the next bytes go; never empty. Bytes move only here, for the kernel writes to what this gave last. */
  space(): Uint8Array {
    if (this.isEmpty) {
      this.#start = this.#end = this.#searched = 0
      return this.#bytes
    }
    if (this.#end === this.#bytes.length) this.#makeRoom()
    return this.#bytes.subarray(this.#end)
  }

  /** So many bytes were put into the last `space`. */
  filled(byteCount: number): void {
    this.#end += byteCount
  }

  /** What there is, `maxBytes` at most; valid until `space` is called. */
  view(maxBytes: number): Uint8Array {
    return this.#bytes.subarray(this.#start, Math.min(this.#end, this.#start + maxBytes))
  }

  drop(byteCount: number): void {
    this.#start += byteCount
    this.#searched = this.#start
  }

  /**
   * Takes a head, empty line included, as Latin-1 without that line; null while it is not whole. Throws a ProtocolError
   * for one of more than `maxBytes`, and as soon as it can't become a head of HTTP/1.
   */
  head(maxBytes: number): string | null {
    const from = Math.max(this.#start, this.#searched - HEAD_END.length + 1)
    const at = this.#bytes.indexOf(HEAD_END, from)
    // What lies past the end is left over from earlier.
    const isWhole = at !== -1 && at + HEAD_END.length <= this.#end
    const sizeBytes = (isWhole ? at + HEAD_END.length : this.#end) - this.#start
    if (sizeBytes > maxBytes) throw new ProtocolError('Its head is too long')
    if (isWhole) {
      const text = this.#bytes.toString('latin1', this.#start, at)
      this.drop(sizeBytes)
      return text
    }
    const compared = Math.min(sizeBytes, HEAD_START.length)
    if (this.#bytes.compare(HEAD_START, 0, compared, this.#start, this.#start + compared) !== 0) {
      throw new ProtocolError('It is not HTTP/1')
    }
    this.#searched = this.#end
    return null
  }

  /** Takes a line as Latin-1 without its CRLF; null while it is not whole. Throws a ProtocolError above `maxBytes`. */
  line(maxBytes: number): string | null {
    const at = this.#bytes.indexOf(LF, this.#searched)
    const isWhole = at !== -1 && at < this.#end
    const sizeBytes = (isWhole ? at + 1 : this.#end) - this.#start
    if (sizeBytes > maxBytes) throw new ProtocolError('A line between chunks is too long')
    this.#searched = this.#end
    if (!isWhole) return null
    const text = this.#bytes.toString('latin1', this.#start, at)
    this.drop(sizeBytes)
    if (!text.endsWith('\r')) throw new ProtocolError('A line between chunks ends with a bare LF')
    return text.slice(0, -1)
  }

  #makeRoom(): void {
    // TLS goes on giving what it has decrypted after it was told to stop, which may be more than there is room for.
    const isFull = this.#start === 0
    const target = isFull ? Buffer.allocUnsafeSlow(this.#bytes.length * 2) : this.#bytes
    this.#bytes.copy(target, 0, this.#start, this.#end)
    this.#bytes = target
    this.#searched -= this.#start
    this.#end -= this.#start
    this.#start = 0
  }
}
