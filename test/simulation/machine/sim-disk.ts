import { basename, dirname } from 'node:path'
import type { Random } from '../random.ts'
import { SimHang } from './sim-hang.ts'

/** Unsynced bytes are lost or kept in pieces of this size. */
const PAGE_BYTES = 512

type Change =
  | { readonly kind: 'write'; readonly offset: number; readonly bytes: Buffer }
  | { readonly kind: 'truncate'; readonly sizeBytes: number }

/** A file: what the kernel shows of it, and what is on the medium. */
export class SimFile {
  readonly ino: number
  /** A person's file, which is never to be touched without consent. */
  readonly isUsers: boolean
  modifiedMs = 0
  #cached: Buffer = Buffer.alloc(0)
  #durable: Buffer = Buffer.alloc(0)
  #durableModifiedMs = 0
  #unsynced: Change[] = []

  constructor(ino: number, isUsers: boolean) {
    this.ino = ino
    this.isUsers = isUsers
  }

  get bytes(): Buffer {
    return this.#cached
  }

  get durableBytes(): Buffer {
    return this.#durable
  }

  write(offset: number, bytes: Uint8Array): void {
    this.#change({ kind: 'write', offset, bytes: Buffer.from(bytes) })
  }

  truncate(sizeBytes: number): void {
    this.#change({ kind: 'truncate', sizeBytes })
  }

  sync(): void {
    for (const change of this.#unsynced) this.#durable = applied(this.#durable, change)
    this.#unsynced = []
    this.#durableModifiedMs = this.modifiedMs
  }

  /**
   * A sync that fails: the kernel takes all pages for clean, though some never reached the medium, and may read those
   * back from it as they were.
   */
  loseSync(random: Random): void {
    for (const change of this.#unsynced) if (random.chance(0.5)) this.#durable = applied(this.#durable, change)
    this.#unsynced = []
    if (random.chance(0.5)) this.#cached = copyOf(this.#durable)
  }

  /** Power is cut: each unsynced page has reached the medium or not; the size may have grown without its bytes. */
  powerCut(random: Random, keptShare: number): void {
    for (const change of this.#unsynced) {
      if (change.kind === 'truncate') {
        if (random.chance(keptShare)) this.#durable = applied(this.#durable, change)
        continue
      }
      for (let start = 0; start < change.bytes.length; start += PAGE_BYTES) {
        const bytes = change.bytes.subarray(start, start + PAGE_BYTES)
        const offset = change.offset + start
        if (random.chance(keptShare)) this.#durable = applied(this.#durable, { kind: 'write', offset, bytes })
        else if (random.chance(0.2)) this.#durable = grown(this.#durable, offset + bytes.length)
      }
    }
    this.#unsynced = []
    this.#cached = copyOf(this.#durable)
    this.modifiedMs = this.#durableModifiedMs
  }

  #change(change: Change): void {
    this.#unsynced.push(change)
    this.#cached = applied(this.#cached, change)
  }
}

/** In memory of its own: Node's pool is shared. */
function copyOf(buffer: Buffer): Buffer {
  const copy = Buffer.from(new ArrayBuffer(buffer.length))
  copy.set(buffer)
  return copy
}

function applied(buffer: Buffer, change: Change): Buffer {
  if (change.kind === 'truncate') {
    return change.sizeBytes <= buffer.length ? buffer.subarray(0, change.sizeBytes) : grown(buffer, change.sizeBytes)
  }
  const result = grown(buffer, change.offset + change.bytes.length)
  result.set(change.bytes, change.offset)
  return result
}

function grown(buffer: Buffer, sizeBytes: number): Buffer {
  if (sizeBytes <= buffer.length) return buffer
  const room = buffer.buffer.byteLength - buffer.byteOffset
  if (sizeBytes <= room) {
    const longer = Buffer.from(buffer.buffer, buffer.byteOffset, sizeBytes)
    longer.fill(0, buffer.length)
    return longer
  }
  // A buffer of its own, not of Node's pool, with room to grow.
  const longer = Buffer.from(new ArrayBuffer(Math.max(4096, sizeBytes * 2)), 0, sizeBytes)
  longer.set(buffer)
  return longer
}

/** Entries of one folder that change together; null removes. */
type EntryChange = ReadonlyMap<string, SimFile | null>

/** A folder: its names as the kernel shows them, and those that a power cut leaves. */
export class SimFolder {
  readonly names = new Map<string, SimFile>()
  readonly #durable = new Map<string, SimFile>()
  #unsynced: EntryChange[] = []

  /** Names that a power cut would leave. */
  get durableNames(): ReadonlyMap<string, SimFile> {
    return this.#durable
  }

  change(changes: EntryChange): void {
    apply(this.names, changes)
    this.#unsynced.push(changes)
  }

  sync(): void {
    for (const changes of this.#unsynced) apply(this.#durable, changes)
    this.#unsynced = []
  }

  /** Journals keep the first changes of all; other file systems any of them. */
  powerCut(random: Random): void {
    const isJournaled = random.chance(0.7)
    const kept = random.below(this.#unsynced.length + 1)
    for (const [index, changes] of this.#unsynced.entries()) {
      if (isJournaled ? index < kept : random.chance(0.5)) apply(this.#durable, changes)
    }
    this.#unsynced = []
    this.names.clear()
    for (const [name, file] of this.#durable) this.names.set(name, file)
  }
}

function apply(names: Map<string, SimFile>, changes: EntryChange): void {
  for (const [name, file] of changes) {
    if (file === null) names.delete(name)
    else names.set(name, file)
  }
}

/** A disk that outlives processes. It knows nothing of errors; those are the file system's. */
export class SimDisk {
  readonly folders = new Map<string, SimFolder>()
  readonly hang = new SimHang()
  readonly #random: Random
  #lastIno = 0

  constructor(random: Random) {
    this.#random = random
  }

  folder(path: string): SimFolder {
    const folder = this.folders.get(path) ?? new SimFolder()
    this.folders.set(path, folder)
    return folder
  }

  file(path: string): SimFile | null {
    return this.folders.get(dirname(path))?.names.get(basename(path)) ?? null
  }

  create(path: string, isUsers = false): SimFile {
    this.#lastIno += 1
    const file = new SimFile(this.#lastIno, isUsers)
    this.folder(dirname(path)).change(new Map([[basename(path), file]]))
    return file
  }

  /** All files by path. */
  *files(): Generator<readonly [path: string, file: SimFile]> {
    for (const [path, { names }] of this.folders) {
      for (const [name, file] of names) yield [`${path}/${name}`, file]
    }
  }

  powerCut(): void {
    const keptShare = this.#random.pick([0, 0.5, 0.9, 1])
    const files = new Set<SimFile>()
    for (const folder of this.folders.values()) {
      for (const file of [...folder.names.values(), ...folder.durableNames.values()]) files.add(file)
    }
    for (const file of files) file.powerCut(this.#random, keptShare)
    for (const folder of this.folders.values()) folder.powerCut(this.#random)
  }
}
