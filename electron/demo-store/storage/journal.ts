import { Buffer } from 'node:buffer'
import { copyFile, open, rename, rm, stat, type FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'
import { MIB } from '../../../shared/limits.ts'
import { syncDirectory } from '../../durable/sync-directory.ts'
import { isNoSpace } from '../../errno/errno.ts'
import { decodeLine, encodeLine, HEADER, HEADER_WITHOUT_CHECKSUMS, JournalDamaged } from './journal-lines.ts'
import { readLines, type Line } from './read-lines.ts'
import { writeAll } from './write-all.ts'

/** Separates the snapshot at the start of a rewritten journal from later entries. */
const SNAPSHOT_END = { snapshot: 'end' } as const
const REWRITE_MIN_BYTES = 16 * MIB

export interface JournalOptions<Entry, Outcome> {
  readonly path: string
  /** Called in order, for every entry of the file when it is opened and for every appended one once it is durable. */
  readonly apply: (entry: Entry) => Outcome
  /** Yields the fewest entries that lead to the present state. */
  readonly snapshot: () => Iterable<Entry>
  /** Awaited before entries are written: makes durable what they refer to. */
  readonly beforeWrite: () => Promise<void>
  /** Whether an entry lets space be freed once it is written. */
  readonly freesSpace: (entry: Entry) => boolean
  /** Makes room on a full disk for some of those entries. */
  readonly makeRoom: () => Promise<void>
}

interface Waiting<Entry, Outcome> {
  readonly entry: Entry
  readonly resolve: (outcome: Outcome) => void
  readonly reject: (error: unknown) => void
}

/**
 * A file of lines that records everything that happened. Entries that come together are synced together. A crash may
 * cut the end short; what is lost there was never confirmed to anyone, and it is cut off when the file is opened again.
 * Damage before good lines is not ignored.
 */
export class Journal<Entry, Outcome> {
  readonly #options: JournalOptions<Entry, Outcome>
  #file: FileHandle
  #sizeBytes = 0
  #snapshotBytes = 0
  #lineCount = 0
  /** Bytes that a failed write may have left behind the last valid line and that could not be cut off yet. */
  #tornBytes = 0
  #waiting: Waiting<Entry, Outcome>[] = []
  #running: Promise<void> | null = null

  private constructor(options: JournalOptions<Entry, Outcome>, file: FileHandle) {
    this.#options = options
    this.#file = file
  }

  /**
   * Opens or creates the file and applies its entries. Throws when the file has another format, and JournalDamaged for
   * damage that no crash causes.
   */
  static async open<Entry, Outcome>(options: JournalOptions<Entry, Outcome>): Promise<Journal<Entry, Outcome>> {
    const journal = new Journal(options, await open(options.path, 'a'))
    try {
      await journal.#load()
      return journal
    } catch (error) {
      await journal.#file.close()
      throw error
    }
  }

  /** Resolves with the result of applying the entry once it is durable. Rejects when it could not be written. */
  append(entry: Entry): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ entry, resolve, reject })
      this.#running ??= this.#run()
    })
  }

  /** Waits for running writes. */
  async close(): Promise<void> {
    await this.#running
    await this.#file.close()
  }

  async #load(): Promise<void> {
    const { path } = this.#options
    const lines = readLines(path)
    const first = await lines.next()
    if (first.done === true) return this.#rewrite()
    const header = first.value
    if (header.text === HEADER_WITHOUT_CHECKSUMS) {
      for await (const { text } of lines) applyUnchecked(text, this.#options.apply)
      // Such a journal can't tell a damaged line from one that a crash cut short.
      await copyFile(path, `${path}.v1`)
      return this.#rewrite()
    }
    if (header.text !== HEADER) throw new Error(`${path} is not a journal that this version can read`)
    await this.#loadChecked(header.endBytes, lines)
  }

  async #loadChecked(headerBytes: number, lines: AsyncIterable<Line>): Promise<void> {
    const { path, apply } = this.#options
    this.#sizeBytes = headerBytes
    this.#lineCount = 1
    let unreadable: Line | null = null
    let mayBeConfirmed = false
    for await (const line of lines) {
      const decoded = line.isWhole ? decodeLine(line.text) : null
      if (decoded === null) {
        unreadable = line
        // A crash leaves no newline at the end of a line that it cut short.
        mayBeConfirmed ||= line.isWhole
      } else if (unreadable !== null || decoded.lineNumber !== this.#lineCount + 1) {
        throw new JournalDamaged(path, this.#lineCount + 1)
      } else {
        if (isSnapshotEnd(decoded.entry)) this.#snapshotBytes = line.endBytes
        else apply(decoded.entry as Entry)
        this.#sizeBytes = line.endBytes
        this.#lineCount += 1
      }
    }
    if (unreadable === null) return
    if (mayBeConfirmed) await copyFile(path, `${path}.damaged`)
    await this.#cutTornEnd()
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting
      this.#waiting = []
      for (const { entry, resolve } of await this.#writeBatch(batch)) resolve(this.#options.apply(entry))
      if (this.#sizeBytes > REWRITE_MIN_BYTES + 2 * this.#snapshotBytes) await this.#rewriteIfPossible()
    }
    // In the same turn as the check for more entries; one appended in between would wait forever.
    this.#running = null
  }

  /** Rejects the entries that could not be written. @returns the others. */
  async #writeBatch(batch: readonly Waiting<Entry, Outcome>[]): Promise<readonly Waiting<Entry, Outcome>[]> {
    try {
      await this.#options.beforeWrite()
      await this.#write(batch.map(({ entry }) => entry))
      return batch
    } catch (error) {
      const freeing = isNoSpace(error) ? batch.filter(({ entry }) => this.#options.freesSpace(entry)) : []
      for (const each of batch) if (!freeing.includes(each)) each.reject(error)
      return freeing.length === 0 ? [] : await this.#writeIntoRoom(freeing)
    }
  }

  /** Writes entries that free space, which must be possible on a full disk. */
  async #writeIntoRoom(freeing: readonly Waiting<Entry, Outcome>[]): Promise<readonly Waiting<Entry, Outcome>[]> {
    try {
      await this.#options.makeRoom()
      await this.#write(freeing.map(({ entry }) => entry))
      return freeing
    } catch (error) {
      for (const { reject } of freeing) reject(error)
      return []
    }
  }

  async #write(entries: readonly Entry[]): Promise<void> {
    await this.#refuseOthers()
    if (this.#tornBytes > 0) await this.#cutTornEnd()
    const bytes = Buffer.from(entries.map((entry, index) => encodeLine(this.#lineCount + 1 + index, entry)).join(''))
    try {
      await writeAll(this.#file, [bytes])
      await this.#file.datasync()
      this.#sizeBytes += bytes.length
      this.#lineCount += entries.length
    } catch (error) {
      // Entries whose callers see a failure must not come to life at the next start.
      this.#tornBytes = bytes.length
      await this.#cutTornEnd().catch(() => undefined)
      throw error
    }
  }

  /** Throws when another program has written to the file or replaced it: both programs would lose entries. */
  async #refuseOthers(): Promise<void> {
    const { path } = this.#options
    const [held, named] = await Promise.all([this.#file.stat(), stat(path)])
    const isOwn = held.size >= this.#sizeBytes && held.size <= this.#sizeBytes + this.#tornBytes
    if (!isOwn || named.ino !== held.ino) throw new Error(`${path} was changed by another program`)
  }

  async #cutTornEnd(): Promise<void> {
    await this.#file.truncate(this.#sizeBytes)
    this.#tornBytes = 0
  }

  async #rewriteIfPossible(): Promise<void> {
    try {
      await this.#rewrite()
    } catch {
      // The present file stays valid; the disk may have room when the file has grown again.
      this.#snapshotBytes = this.#sizeBytes
    }
  }

  /** Replaces the file with one that holds only the present state. */
  async #rewrite(): Promise<void> {
    const { path, snapshot } = this.#options
    const temporaryPath = `${path}.new`
    const { sizeBytes, lineCount } = await writeSnapshot(temporaryPath, snapshot())
    // Windows can't rename over an open file.
    await this.#file.close()
    try {
      await rename(temporaryPath, path)
      this.#sizeBytes = sizeBytes
      this.#snapshotBytes = sizeBytes
      this.#lineCount = lineCount
      this.#tornBytes = 0
    } finally {
      this.#file = await open(path, 'a')
    }
    await syncDirectory({ open }, dirname(path))
  }
}

function isSnapshotEnd(entry: unknown): boolean {
  return typeof entry === 'object' && entry !== null && 'snapshot' in entry
}

/** Applies a line that has no checksum. */
function applyUnchecked<Entry>(text: string, apply: (entry: Entry) => unknown): void {
  try {
    const entry = JSON.parse(text) as Entry
    if (!isSnapshotEnd(entry)) apply(entry)
  } catch {
    // Perhaps cut short by a crash. Its entry is lost, but nothing else.
  }
}

interface Written {
  readonly sizeBytes: number
  readonly lineCount: number
}

async function writeSnapshot(path: string, entries: Iterable<unknown>): Promise<Written> {
  await rm(path, { force: true })
  const file = await open(path, 'a')
  try {
    let written: Written = { sizeBytes: 0, lineCount: 0 }
    for (const { text, lineCount } of blocksOf(entries)) {
      const bytes = Buffer.from(text)
      await writeAll(file, [bytes])
      written = { sizeBytes: written.sizeBytes + bytes.length, lineCount }
    }
    await file.sync()
    return written
  } finally {
    await file.close()
  }
}

/** Yields the lines of a journal with these entries, in blocks large enough to be worth a write, and the line count. */
function* blocksOf(entries: Iterable<unknown>): Generator<{ readonly text: string; readonly lineCount: number }> {
  let lineCount = 1
  let text = `${HEADER}\n`
  for (const entry of entries) {
    text += encodeLine((lineCount += 1), entry)
    if (text.length >= MIB) {
      yield { text, lineCount }
      text = ''
    }
  }
  text += encodeLine((lineCount += 1), SNAPSHOT_END)
  yield { text, lineCount }
}
