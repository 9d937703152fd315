// Memory shared with the thread of a folder transfer, which saves copying bytes between the two.

/** The thread, which is told which memory a number stands for. */
interface Sharing {
  share(memory: number, buffer: SharedArrayBuffer): void
}

/** Memory larger than this is not kept for the next object. */
const REUSED_BYTES = 256 * 1024

/** Memory for one object at a time, shared with the thread that reads or writes its file. */
export class Memory {
  readonly number: number
  readonly #files: Sharing
  #buffer = new SharedArrayBuffer(0)

  constructor(number: number, files: Sharing) {
    this.number = number
    this.#files = files
  }

  /** Makes room for an object in place of the previous one. Most objects are small and reuse the same memory. */
  room(sizeBytes: number): Uint8Array<SharedArrayBuffer> {
    const { byteLength } = this.#buffer
    if (byteLength < sizeBytes || byteLength > Math.max(sizeBytes, REUSED_BYTES)) {
      this.#buffer = new SharedArrayBuffer(sizeBytes)
      this.#files.share(this.number, this.#buffer)
    }
    return new Uint8Array(this.#buffer, 0, sizeBytes)
  }
}
