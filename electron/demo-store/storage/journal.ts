import { Buffer } from 'node:buffer'
import { open, rename, rm, type FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'
import { MIB } from '../../../shared/limits.ts'
import { syncDirectory, writeAll } from './durable-files.ts'
import { readLines } from './read-lines.ts'

/** First line of every journal; a file with another one is not ours to touch. */
const HEADER = '{"format":"sluice-demo-store","version":1}'
/** Parts the snapshot that a rewritten journal begins with from the entries that came later. */
const SNAPSHOT_END = '{"snapshot":"end"}'
const REWRITE_MIN_BYTES = 16 * MIB

export interface JournalOptions<Entry, Outcome> {
  readonly path: string
  /** Called for every entry of the file when it is opened, and for every appended one once it is durable, in order. */
  readonly apply: (entry: Entry) => Outcome
  /** The shortest entries that lead to the present state. */
  readonly snapshot: () => Iterable<Entry>
  /** Awaited before entries are written: makes durable what they refer to. */
  readonly beforeWrite: () => Promise<void>
}

interface Waiting<Entry, Outcome> {
  readonly entry: Entry
  readonly line: string
  readonly resolve: (outcome: Outcome) => void
  readonly reject: (error: unknown) => void
}

/**
 * A file of JSON lines that says all that happened. Entries that come together are synced together. A line that a crash
 * cut short was never confirmed to anybody and is skipped when the file is opened again.
 */
export class Journal<Entry, Outcome> {
  readonly #options: JournalOptions<Entry, Outcome>
  #file: FileHandle
  #sizeBytes = 0
  #snapshotBytes = 0
  #hasTornEnd = false
  #waiting: Waiting<Entry, Outcome>[] = []
  #running: Promise<void> | null = null

  private constructor(options: JournalOptions<Entry, Outcome>, file: FileHandle) {
    this.#options = options
    this.#file = file
  }

  /** Opens or creates the file and applies what is in it. Throws when the file is of another format. */
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

  /** Resolves once the entry is durable, with what applying it gave. Rejects when it could not be written. */
  append(entry: Entry): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ entry, line: `${JSON.stringify(entry)}\n`, resolve, reject })
      this.#running ??= this.#run()
    })
  }

  /** Waits for what is being written. */
  async close(): Promise<void> {
    await this.#running
    await this.#file.close()
  }

  async #load(): Promise<void> {
    const { path, apply } = this.#options
    let endsWhole = true
    for await (const { text, endBytes, isWhole } of readLines(path)) {
      if (this.#sizeBytes === 0 && text !== HEADER) throw new Error(`${path} is no journal that this version can read`)
      if (text === SNAPSHOT_END) this.#snapshotBytes = endBytes
      else if (this.#sizeBytes > 0) applyLine(text, apply)
      this.#sizeBytes = endBytes
      endsWhole = isWhole
    }
    if (this.#sizeBytes === 0) await this.#rewrite()
    else if (!endsWhole) await this.#write('\n')
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting
      this.#waiting = []
      try {
        await this.#options.beforeWrite()
        await this.#write(batch.map(({ line }) => line).join(''))
      } catch (error) {
        for (const { reject } of batch) reject(error)
        continue
      }
      for (const { entry, resolve } of batch) resolve(this.#options.apply(entry))
      if (this.#sizeBytes > REWRITE_MIN_BYTES + 2 * this.#snapshotBytes) await this.#rewriteIfPossible()
    }
    // In the same turn as the check for more: an entry appended in between would wait for ever.
    this.#running = null
  }

  async #write(text: string): Promise<void> {
    if (this.#hasTornEnd) await this.#cutTornEnd()
    const bytes = Buffer.from(text)
    try {
      await writeAll(this.#file, [bytes])
      await this.#file.datasync()
      this.#sizeBytes += bytes.length
    } catch (error) {
      // Entries whose callers hear of a failure must not come to life at the next start.
      this.#hasTornEnd = true
      await this.#cutTornEnd().catch(() => undefined)
      throw error
    }
  }

  async #cutTornEnd(): Promise<void> {
    await this.#file.truncate(this.#sizeBytes)
    this.#hasTornEnd = false
  }

  async #rewriteIfPossible(): Promise<void> {
    try {
      await this.#rewrite()
    } catch {
      // The file as it is stays good; the disk may have room when it has grown again.
      this.#snapshotBytes = this.#sizeBytes
    }
  }

  /** Replaces the file by one that holds the present state and nothing else. */
  async #rewrite(): Promise<void> {
    const { path, snapshot } = this.#options
    const temporaryPath = `${path}.new`
    const sizeBytes = await writeSnapshot(temporaryPath, snapshot())
    // Windows can't rename over a file that is open.
    await this.#file.close()
    try {
      await rename(temporaryPath, path)
      this.#sizeBytes = sizeBytes
      this.#snapshotBytes = sizeBytes
      this.#hasTornEnd = false
    } finally {
      this.#file = await open(path, 'a')
    }
    await syncDirectory(dirname(path))
  }
}

function applyLine<Entry>(text: string, apply: (entry: Entry) => unknown): void {
  try {
    apply(JSON.parse(text) as Entry)
  } catch {
    // Cut short by a crash. Whatever else a damaged line said is lost, but nothing beside it.
  }
}

/** Returns the size in bytes. */
async function writeSnapshot(path: string, entries: Iterable<unknown>): Promise<number> {
  await rm(path, { force: true })
  const file = await open(path, 'a')
  try {
    let sizeBytes = 0
    for (const block of blocksOf(entries)) {
      const bytes = Buffer.from(block)
      await writeAll(file, [bytes])
      sizeBytes += bytes.length
    }
    await file.sync()
    return sizeBytes
  } finally {
    await file.close()
  }
}

/** The lines of a journal that holds these entries, gathered so that a write is worth its call. */
function* blocksOf(entries: Iterable<unknown>): Generator<string> {
  let block = `${HEADER}\n`
  for (const entry of entries) {
    block += `${JSON.stringify(entry)}\n`
    if (block.length >= MIB) {
      yield block
      block = ''
    }
  }
  yield `${block}${SNAPSHOT_END}\n`
}
