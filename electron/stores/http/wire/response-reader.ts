import type { BodyBlocks } from './body-blocks.ts'
import { ChunkedDecoder } from './chunked-decoder.ts'
import type { HttpRequest } from './http-types.ts'
import { bodyFraming, parseHead, type ResponseHead } from './head-parser.ts'
import { ConnectionError, ProtocolError } from './network-error.ts'
import type { ReceiveBuffer } from './receive-buffer.ts'

/** Includes the heads of interim responses. */
const MAX_HEAD_BYTES = 64 * 1024

/**
 * Reads one response from the bytes of a connection. The bytes of a body that is not chunked are received straight into
 * the body's blocks; everything else goes through the connection's buffer.
 */
export class ResponseReader {
  readonly #received: ReceiveBuffer
  readonly #body: BodyBlocks
  readonly #method: HttpRequest['method']
  readonly #onHead: (head: ResponseHead) => void
  #headBytes = 0
  #head: ResponseHead | null = null
  #chunks: ChunkedDecoder | null = null
  /** Bytes left of a body that is not chunked; Infinity when the body ends with the connection. */
  #leftBytes = 0
  #sizeBytes = Infinity
  #isIntoBody = false
  #isExcessive = false

  constructor(
    received: ReceiveBuffer,
    body: BodyBlocks,
    method: HttpRequest['method'],
    onHead: (head: ResponseHead) => void,
  ) {
    this.#received = received
    this.#body = body
    this.#method = method
    this.#onHead = onHead
  }

  /** Null until the final head has come. */
  get head(): ResponseHead | null {
    return this.#head
  }

  get isComplete(): boolean {
    if (this.#head === null) return false
    return this.#chunks === null ? this.#leftBytes === 0 : this.#chunks.isComplete
  }

  /** The size of the body as its head announced it; Infinity when it did not. */
  get sizeBytes(): number {
    return this.#sizeBytes
  }

  /** The server sent more than its response. */
  get isExcessive(): boolean {
    return this.#isExcessive || !this.#received.isEmpty
  }

  /** Where the next bytes go; never empty. */
  space(): Uint8Array {
    const isDirect = this.#leftBytes > 0 && this.#received.isEmpty
    const room = isDirect ? this.#body.room(this.#leftBytes) : null
    this.#isIntoBody = room !== null
    return room ?? this.#received.space()
  }

  /** Reports how many bytes were put into the last `space`. Throws a ProtocolError. */
  filled(byteCount: number): void {
    if (!this.#isIntoBody) {
      this.#received.filled(byteCount)
      this.advance()
      return
    }
    this.#isExcessive = byteCount > this.#leftBytes
    const bodyBytes = this.#isExcessive ? this.#leftBytes : byteCount
    this.#leftBytes -= bodyBytes
    this.#body.filled(bodyBytes)
  }

  /** Parses what has been received, as far as the body has room. Throws a ProtocolError. */
  advance(): void {
    while (this.#head === null) {
      const text = this.#received.head(MAX_HEAD_BYTES - this.#headBytes)
      if (text === null) return
      this.#headBytes += text.length
      this.#begin(parseHead(text))
    }
    if (this.#chunks !== null) this.#chunks.decode(this.#received, (bytes) => this.#body.append(bytes))
    else if (this.#leftBytes > 0) {
      const takenBytes = this.#body.append(this.#received.view(this.#leftBytes))
      this.#received.drop(takenBytes)
      this.#leftBytes -= takenBytes
    }
  }

  /** The connection has ended. Throws a ConnectionError when that cut the response short. */
  ended(): void {
    if (this.#head !== null && this.#leftBytes === Infinity && this.#received.isEmpty) this.#leftBytes = 0
    else if (!this.isComplete) throw new ConnectionError('ENDED_EARLY', 'The other side closed the connection')
  }

  #begin(head: ResponseHead): void {
    if (head.status === 101) throw new ProtocolError('The server switches protocols without being asked')
    if (head.status < 200 && head.minorVersion === 0) throw new ProtocolError('HTTP/1.0 has no interim responses')
    if (head.status < 200) return
    const framing = bodyFraming(head, this.#method)
    if (framing === 'chunked') this.#chunks = new ChunkedDecoder()
    else this.#leftBytes = this.#sizeBytes = framing
    this.#head = head
    this.#onHead(head)
  }
}
