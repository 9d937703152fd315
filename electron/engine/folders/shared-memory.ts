// Memory that this process and the thread of a folder transfer both see, so that bytes are not copied between them.

/** The thread that is told which memory a number stands for. */
interface Sharing {
  share(memory: number, buffer: SharedArrayBuffer): void
}

/** Larger memory is given back after each object. */
const REUSED_BYTES = 256 * 1024

/** Memory for one object at a time, which the thread that writes it sees too. */
export class Memory {
  readonly number: number
  readonly #files: Sharing
  #buffer = new SharedArrayBuffer(0)

  constructor(number: number, files: Sharing) {
    this.number = number
    this.#files = files
  }

  /** Room for an object, in place of the one before. Most are small, and use the same room again. */
  room(sizeBytes: number): Uint8Array<SharedArrayBuffer> {
    const { byteLength } = this.#buffer
    if (byteLength < sizeBytes || byteLength > Math.max(sizeBytes, REUSED_BYTES)) {
      this.#buffer = new SharedArrayBuffer(sizeBytes)
      this.#files.share(this.number, this.#buffer)
    }
    return new Uint8Array(this.#buffer, 0, sizeBytes)
  }
}
