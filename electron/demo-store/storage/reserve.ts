import { randomBytes } from 'node:crypto'
import { open, rm, stat } from 'node:fs/promises'
import { writeAll } from './write-all.ts'

/** Room for some hundred lines of the journal. */
const RESERVE_BYTES = 256 * 1024

/** A file that takes up space. On a full disk it makes way for the records of deletions, which free more than that. */
export class Reserve {
  readonly #path: string
  #isThere = false

  constructor(path: string) {
    this.#path = path
  }

  /** Takes up the space, unless it has. Without room for that there is no reserve until the next call. Never rejects. */
  async fill(): Promise<void> {
    if (this.#isThere) return
    const size = await stat(this.#path).then(
      (found) => found.size,
      () => 0,
    )
    if (size !== RESERVE_BYTES) {
      try {
        await write(this.#path)
      } catch {
        return this.release()
      }
    }
    this.#isThere = true
  }

  /** Frees the space. Never rejects. */
  async release(): Promise<void> {
    this.#isThere = false
    await rm(this.#path, { force: true }).catch(() => undefined)
  }
}

/** Random bytes take up space even where the file system compresses. */
async function write(path: string): Promise<void> {
  const file = await open(path, 'w', 0o600)
  try {
    await writeAll(file, [randomBytes(RESERVE_BYTES)])
  } finally {
    await file.close()
  }
}
