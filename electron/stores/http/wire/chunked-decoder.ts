import { fieldName } from './head-parser.ts'
import { ProtocolError } from './network-error.ts'
import type { ReceiveBuffer } from './receive-buffer.ts'

/** Longest line between chunks: a chunk size with its extensions, or a trailer field. */
const MAX_LINE_BYTES = 8 * 1024
const MAX_TRAILER_BYTES = 64 * 1024

const TOKEN = "[!#$%&'*+\\-.^_`|~\\dA-Za-z]+"
const QUOTED = '"[\\t\\x20\\x21\\x23-\\x5b\\x5d-\\x7e\\x80-\\xff]*"'
/** The blanks that stand around the signs of an extension by mistake, and that every reader has to drop (7.1.1). */
const BWS = '[\\t ]*'
const EXTENSION = `${BWS};${BWS}${TOKEN}(?:${BWS}=${BWS}(?:${TOKEN}|${QUOTED}))?`
const SIZE_LINE = new RegExp(`^([\\dA-Fa-f]{1,13})(?:${EXTENSION})*$`)

/** Decodes the chunks of one body (RFC 9112, 7.1). Extensions and trailer fields are checked and dropped. */
export class ChunkedDecoder {
  #at: 'size' | 'data' | 'data-end' | 'trailer' | 'end' = 'size'
  /** Bytes of the current chunk still to come. */
  #leftBytes = 0
  #trailerBytes = 0

  /** The last chunk and the trailer have been read. */
  get isComplete(): boolean {
    return this.#at === 'end'
  }

  /**
   * Decodes as much of `received` as it can. `take` receives bytes of the body and returns how many it took; if it took
   * fewer than offered, decoding stops there. Throws a ProtocolError.
   */
  decode(received: ReceiveBuffer, take: (bytes: Uint8Array) => number): void {
    while (this.#at !== 'end') {
      if (this.#at === 'data') {
        const offered = received.view(this.#leftBytes)
        const takenBytes = offered.length === 0 ? 0 : take(offered)
        received.drop(takenBytes)
        this.#leftBytes -= takenBytes
        if (this.#leftBytes > 0) return
        this.#at = 'data-end'
      }
      const line = received.line(MAX_LINE_BYTES)
      if (line === null) return
      this.#next(line)
    }
  }

  #next(line: string): void {
    if (this.#at === 'size') {
      const size = SIZE_LINE.exec(line)?.[1]
      if (size === undefined) throw new ProtocolError('The size of a chunk is malformed')
      this.#leftBytes = parseInt(size, 16)
      this.#at = this.#leftBytes === 0 ? 'trailer' : 'data'
    } else if (this.#at === 'data-end') {
      if (line !== '') throw new ProtocolError('A chunk is longer than its announced size')
      this.#at = 'size'
    } else if (line === '') {
      this.#at = 'end'
    } else {
      fieldName(line)
      this.#trailerBytes += line.length
      if (this.#trailerBytes > MAX_TRAILER_BYTES) throw new ProtocolError('The trailer is too long')
    }
  }
}
