import { randomBytes } from 'node:crypto'
import { mkdir, open, readdir, rename, unlink, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { syncDirectory } from '../../durable/sync-directory.ts'

/** Suffix of a content that no record was ever written about. */
const UNRECORDED = '.new'

/**
 * The files that hold content, named by random ids. A content that nothing refers to any more is deleted, but only
 * after its last reader has ended.
 */
export class ContentFiles {
  readonly #directory: string
  readonly #readers = new Map<string, number>()
  /** Contents discarded while being read. */
  readonly #doomed = new Set<string>()
  #deleting: Promise<void> = Promise.resolve()
  #isClosed = false

  private constructor(directory: string) {
    this.#directory = directory
  }

  static async open(directory: string): Promise<ContentFiles> {
    await mkdir(directory, { recursive: true, mode: 0o700 })
    return new ContentFiles(directory)
  }

  /**
   * Deletes half-written contents and those in `released`; moves all others that are not `referenced` to the folder
   * `asidePath`. Returns true when anything was moved.
   */
  async tidy(referenced: ReadonlySet<string>, released: ReadonlySet<string>, asidePath: string): Promise<boolean> {
    const loose = (await readdir(this.#directory)).filter((name) => !referenced.has(name))
    const isDeletable = (name: string): boolean => name.endsWith(UNRECORDED) || released.has(name)
    this.discard(loose.filter(isDeletable))
    const unexplained = loose.filter((name) => !isDeletable(name))
    if (unexplained.length === 0) return false
    await mkdir(asidePath, { recursive: true, mode: 0o700 })
    for (const name of unexplained) await rename(join(this.#directory, name), join(asidePath, name))
    await syncDirectory({ open }, asidePath)
    return true
  }

  /** Creates an empty file, open for writing. Unless `keep` is called, it doesn't outlive the process. */
  async create(): Promise<{ readonly contentId: string; readonly file: FileHandle }> {
    const contentId = randomBytes(16).toString('hex')
    return { contentId, file: await open(join(this.#directory, `${contentId}${UNRECORDED}`), 'wx', 0o600) }
  }

  /** Gives a written content its final name, before a record refers to it. */
  async keep(contentId: string): Promise<void> {
    const path = join(this.#directory, contentId)
    await rename(`${path}${UNRECORDED}`, path)
  }

  async read(contentId: string): Promise<FileHandle> {
    return open(join(this.#directory, contentId), 'r')
  }

  /** Makes the names of kept files durable. */
  async sync(): Promise<void> {
    await syncDirectory({ open }, this.#directory)
  }

  /** Protects contents from deletion until the returned function is called, once. */
  hold(contentIds: readonly string[]): () => void {
    for (const id of contentIds) this.#readers.set(id, (this.#readers.get(id) ?? 0) + 1)
    return () => {
      const unread = contentIds.filter((id) => this.#endReader(id))
      this.discard(unread.filter((id) => this.#doomed.delete(id)))
    }
  }

  /** Deletes contents, one after the other, in the background. */
  discard(contentIds: readonly string[]): void {
    for (const id of contentIds) {
      if (this.#readers.has(id)) this.#doomed.add(id)
      else this.#deleting = this.#deleting.then(() => this.#delete(id))
    }
  }

  /** Resolves once the deletions so far are over. */
  async deleted(): Promise<void> {
    await this.#deleting
  }

  /** Leaves unfinished deletions to the next start. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#deleting
  }

  /** Returns true when that was the last reader. */
  #endReader(id: string): boolean {
    const left = (this.#readers.get(id) ?? 0) - 1
    if (left > 0) this.#readers.set(id, left)
    else this.#readers.delete(id)
    return left <= 0
  }

  async #delete(id: string): Promise<void> {
    if (this.#isClosed) return
    const path = join(this.#directory, id)
    // A file that can't be deleted now is left over for the next start.
    await unlink(path).catch(() => unlink(`${path}${UNRECORDED}`).catch(() => undefined))
  }
}
