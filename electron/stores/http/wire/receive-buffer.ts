import { ProtocolError } from './network-error.ts'

const INITIAL_BYTES = 64 * 1024
const LF = 0x0a
const HEAD_END = Buffer.from('\r\n\r\n')
const HEAD_START = Buffer.from('HTTP/1.')

/** Bytes received on a connection but not parsed yet: heads, chunk sizes, and what arrives with them. */
export class ReceiveBuffer {
  #bytes: Buffer = Buffer.allocUnsafeSlow(INITIAL_BYTES)
  #start = 0
  #end = 0
  /** The end of a head was searched for up to here, and not found. */
  #searched = 0

  get isEmpty(): boolean {
    return this.#start === this.#end
  }

  /**
   * Where the next bytes go; never empty. Only this moves bytes, since the kernel writes to the last space returned.
   */
  space(): Uint8Array {
    if (this.isEmpty) {
      this.#start = this.#end = this.#searched = 0
      return this.#bytes
    }
    if (this.#end === this.#bytes.length) this.#makeRoom()
    return this.#bytes.subarray(this.#end)
  }

  /** Reports how many bytes were put into the last `space`. */
  filled(byteCount: number): void {
    this.#end += byteCount
  }

  /** The buffered bytes, at most `maxBytes`; valid until `space` is called. */
  view(maxBytes: number): Uint8Array {
    return this.#bytes.subarray(this.#start, Math.min(this.#end, this.#start + maxBytes))
  }

  drop(byteCount: number): void {
    this.#start += byteCount
    this.#searched = this.#start
  }

  /**
   * Takes a head as Latin-1, without its final empty line; returns null while it is incomplete. Throws a ProtocolError
   * when the head exceeds `maxBytes`, and as soon as the bytes can't become an HTTP/1 head.
   */
  head(maxBytes: number): string | null {
    const from = Math.max(this.#start, this.#searched - HEAD_END.length + 1)
    const at = this.#bytes.indexOf(HEAD_END, from)
    // A match past the end lies in bytes left over from earlier.
    const isWhole = at !== -1 && at + HEAD_END.length <= this.#end
    const sizeBytes = (isWhole ? at + HEAD_END.length : this.#end) - this.#start
    if (sizeBytes > maxBytes) throw new ProtocolError('The response head is too long')
    if (isWhole) {
      const text = this.#bytes.toString('latin1', this.#start, at)
      this.drop(sizeBytes)
      return text
    }
    const compared = Math.min(sizeBytes, HEAD_START.length)
    if (this.#bytes.compare(HEAD_START, 0, compared, this.#start, this.#start + compared) !== 0) {
      throw new ProtocolError('The response does not start with HTTP/1')
    }
    this.#searched = this.#end
    return null
  }

  /** Takes a line as Latin-1 without its CRLF; null while incomplete. Throws a ProtocolError above `maxBytes`. */
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
    // TLS keeps delivering decrypted bytes after it was told to stop, possibly more than there is room for.
    const isFull = this.#start === 0
    const target = isFull ? Buffer.allocUnsafeSlow(this.#bytes.length * 2) : this.#bytes
    this.#bytes.copy(target, 0, this.#start, this.#end)
    this.#bytes = target
    this.#searched -= this.#start
    this.#end -= this.#start
    this.#start = 0
  }
}
