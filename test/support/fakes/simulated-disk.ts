import { createHash } from 'node:crypto'
import { constants, type BigIntStats, type Stats } from 'node:fs'
import { constants as system } from 'node:os'
import { dirname } from 'node:path'
import { crc32 } from '../../../electron/checksums/crc32.ts'
import type { FileSystem, Hasher } from '../../../electron/engine/core/deps.ts'
import { beginDigest } from '../../../electron/engine/hashing/running-digest.ts'

/** What libuv has no name for. */
const UNNAMED = new Set(['EDQUOT'])

/** How Node tells that a call of the system failed: `errno` and `code` of an error. */
export function errnoFacts(code: string): { readonly errno: number; readonly code: string } {
  const errno = -((system.errno as Readonly<Record<string, number>>)[code] ?? 0)
  return { errno, code: UNNAMED.has(code) ? `Unknown system error ${String(errno)}` : code }
}

/** An error as the file system gives it. */
export function systemError(code: string, call = ''): Error {
  return Object.assign(new Error(`${code} ${call}`), errnoFacts(code))
}

/** Content of a file, which grows in place: one of many writes is not copied with each of them. */
class Content {
  #bytes: Buffer
  #size: number

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes)
    this.#size = bytes.length
  }

  get size(): number {
    return this.#size
  }

  /** All of it, as it is until the next write. */
  get bytes(): Buffer {
    return this.#bytes.subarray(0, this.#size)
  }

  /** Longer, with zeros; or shorter. */
  resize(size: number): void {
    if (size > this.#bytes.length) {
      const grown = Buffer.alloc(Math.max(size, 2 * this.#bytes.length))
      this.bytes.copy(grown)
      this.#bytes = grown
    } else if (size > this.#size) this.#bytes.fill(0, this.#size, size)
    this.#size = size
  }

  write(bytes: Uint8Array, offset: number): void {
    if (offset + bytes.length > this.#size) this.resize(offset + bytes.length)
    this.#bytes.set(bytes, offset)
  }
}

interface Inode {
  readonly number: number
  readonly isFolder: boolean
  content: Content
  /** What a power cut leaves for certain. */
  durable: Content
  /** Since the last sync, in order. A cut keeps any of them, whole or torn. */
  unsynced: { readonly offset: number; readonly bytes: Buffer }[]
  /** Since the last sync: the writes alone don't tell what is there. */
  wasCut: boolean
  modifiedMs: number
}

/** File system calls that are done when they return. */
interface WaitingCalls {
  open(path: string, flags: string | number): WaitingHandle
  lstat(path: string): Stats | BigIntStats
  rename(from: string, to: string): void
  link(from: string, to: string): void
  unlink(path: string): void
  mkdir(path: string): void
  readdir(path: string): readonly string[]
}

interface WaitingHandle {
  write(block: Uint8Array, offset: number, length: number, position: number): { readonly bytesWritten: number }
  utimes(accessed: Date, modified: Date): void
  /** All of it. */
  content(): Buffer
  close(): void
}

/** One change of a folder's names; a cut keeps the first few since the folder was synced. */
type NameChange = (names: Map<string, Inode>) => void

/**
 * A disk in memory with the file system calls that the engine makes. `onCall` runs before each of them and may throw
 * instead. `cutPower` leaves what a real disk may leave: unsynced writes kept, lost or torn in any order, sizes that
 * grew before their content came, and unsynced names missing. What sits open then is of no use any more.
 */
export class SimulatedDisk {
  /** What is in a folder whose name a power cut takes is lost with it. */
  losesFolders = false
  onCall: (call: string, path: string) => void = () => undefined
  readonly files: FileSystem
  /** The same calls, as a thread makes them that waits for each. */
  readonly waiting: WaitingCalls
  readonly hasher: Hasher
  #names = new Map<string, Inode>()
  #durableNames = new Map<string, Inode>()
  #changes = new Map<string, NameChange[]>()
  #inodes = 0

  constructor(folder: string) {
    for (let path = folder; ; path = dirname(path)) {
      const inode = this.#inode(true)
      this.#names.set(path, inode)
      this.#durableNames.set(path, inode)
      if (path === dirname(path)) break
    }
    this.waiting = this.#calls()
    const open = async (path: string, flags: string | number) => promised(this.waiting.open(path, flags))
    this.files = { ...promised(this.waiting), open } as unknown as FileSystem
    this.hasher = this.#hashes()
  }

  /** Puts a file as somebody else would, durably. */
  place(path: string, content: Uint8Array): void {
    const inode = this.#inode(false)
    inode.content = new Content(content)
    inode.durable = new Content(content)
    this.#names.set(path, inode)
    this.#durableNames.set(path, inode)
  }

  /** Content of a file, or null. */
  contentOf(path: string): Buffer | null {
    return this.#names.get(path)?.content.bytes ?? null
  }

  /** Absolute paths of the files in `folder`. */
  list(folder: string): readonly string[] {
    return [...this.#names.keys()].filter((path) => dirname(path) === folder && path !== folder).sort()
  }

  /** All that was written on the volume is on disk, as after syncfs(2). */
  syncAll(path: string): void {
    this.onCall('syncfs', path)
    for (const inode of new Set(this.#names.values())) makeDurable(inode)
    this.#durableNames = new Map(this.#names)
    this.#changes.clear()
  }

  /** @param random 0 ≤ n < 1, chooses what survives. */
  cutPower(random: () => number): void {
    for (const [, changes] of this.#changes) {
      const kept = Math.floor(random() * (changes.length + 1))
      for (const change of changes.slice(0, kept)) change(this.#durableNames)
    }
    this.#changes.clear()
    this.#names = new Map(this.#durableNames)
    if (this.losesFolders) this.#loseOrphans()
    for (const inode of new Set(this.#names.values())) survive(inode, random)
  }

  /** Folders come before what they hold. */
  #loseOrphans(): void {
    for (const path of [...this.#names.keys()].sort()) if (!this.#names.has(dirname(path))) this.#names.delete(path)
    this.#durableNames = new Map(this.#names)
  }

  #inode(isFolder: boolean): Inode {
    this.#inodes += 1
    const empty = () => new Content(Buffer.alloc(0))
    return {
      number: this.#inodes,
      isFolder,
      content: empty(),
      durable: empty(),
      unsynced: [],
      wasCut: false,
      modifiedMs: 0,
    }
  }

  #find(call: string, path: string): Inode {
    this.onCall(call, path)
    const inode = this.#names.get(path)
    if (inode === undefined) throw systemError('ENOENT', `${call} ${path}`)
    return inode
  }

  #change(path: string, change: NameChange): void {
    if (!this.#names.has(dirname(path))) throw systemError('ENOENT', path)
    change(this.#names)
    const folder = dirname(path)
    this.#changes.set(folder, [...(this.#changes.get(folder) ?? []), change])
  }

  #calls(): WaitingCalls {
    const stat = (path: string, options?: { bigint?: boolean }) =>
      statsOf(this.#find('stat', path), options?.bigint === true)
    const calls = {
      open: (path: string, flags: string | number) => this.#open(path, flags),
      stat,
      lstat: stat,
      realpath: (path: string) => (this.#find('realpath', path), path),
      statfs: (path: string) => (
        this.#find('statfs', path),
        { bavail: 2 ** 40, bsize: 4096, blocks: 2 ** 41, type: 0, bfree: 0, files: 0, ffree: 0 }
      ),
      rename: (from: string, to: string) => {
        const inode = this.#find('rename', from)
        this.#change(to, (names) => {
          names.delete(from)
          names.set(to, inode)
        })
      },
      link: (from: string, to: string) => {
        const inode = this.#find('link', from)
        if (this.#names.has(to)) throw systemError('EEXIST', to)
        this.#change(to, (names) => names.set(to, inode))
      },
      unlink: (path: string) => {
        this.#find('unlink', path)
        this.#change(path, (names) => names.delete(path))
      },
      mkdir: (path: string) => {
        this.onCall('mkdir', path)
        const inode = this.#inode(true)
        this.#change(path, (names) => names.set(path, inode))
      },
      readdir: (path: string) => {
        this.#find('readdir', path)
        return this.list(path).map((name) => name.slice(path.length + 1))
      },
      utimes: (path: string, _accessed: Date, modified: Date) => {
        this.#find('utimes', path).modifiedMs = modified.getTime()
      },
    }
    return calls
  }

  #open(path: string, flags: string | number): WaitingHandle {
    this.onCall('open', path)
    const isNew = flags === 'wx' || (typeof flags === 'number' && (flags & constants.O_EXCL) !== 0)
    const known = this.#names.get(path)
    if (isNew && known !== undefined) throw systemError('EEXIST', path)
    if (!isNew && known === undefined) throw systemError('ENOENT', path)
    const inode = known ?? this.#inode(false)
    if (known === undefined) this.#change(path, (names) => names.set(path, inode))
    return this.#handle(path, inode)
  }

  #handle(path: string, inode: Inode): WaitingHandle {
    const write = (bytes: Buffer, offset: number): void => {
      inode.content.write(bytes, offset)
      inode.unsynced.push({ offset, bytes })
    }
    const sync = (call: string) => () => {
      this.onCall(call, path)
      makeDurable(inode)
      if (!inode.isFolder) return
      for (const change of this.#changes.get(path) ?? []) change(this.#durableNames)
      this.#changes.delete(path)
    }
    const handle = {
      writev: (blocks: readonly Uint8Array[], position: number) => {
        this.onCall('writev', path)
        const bytes = Buffer.concat(blocks)
        write(bytes, position)
        return { bytesWritten: bytes.length, buffers: blocks }
      },
      write: (block: Uint8Array, offset: number, length: number, position: number) => {
        this.onCall('write', path)
        write(Buffer.from(block.subarray(offset, offset + length)), position)
        return { bytesWritten: length, buffer: block }
      },
      read: (buffer: Uint8Array, offset: number, length: number, position: number) => {
        this.onCall('read', path)
        const bytes = inode.content.bytes.subarray(position, position + length)
        buffer.set(bytes, offset)
        return { bytesRead: bytes.length, buffer }
      },
      appendFile: (text: string) => {
        this.onCall('appendFile', path)
        write(Buffer.from(text), inode.content.size)
      },
      readFile: () => (this.onCall('readFile', path), Buffer.from(inode.content.bytes)),
      content: () => (this.onCall('readFile', path), inode.content.bytes),
      stat: () => (this.onCall('fstat', path), statsOf(inode, false)),
      truncate: (size: number) => {
        this.onCall('truncate', path)
        inode.content.resize(Math.min(size, inode.content.size))
        inode.wasCut = true
      },
      utimes: (_accessed: Date, modified: Date) => {
        this.onCall('futimes', path)
        inode.modifiedMs = modified.getTime()
      },
      sync: sync('fsync'),
      datasync: sync('fdatasync'),
      close: () => this.onCall('close', path),
    }
    return handle
  }

  #hashes(): Hasher {
    const read = (path: string, offset: number, length: number, signal: AbortSignal): Buffer => {
      signal.throwIfAborted()
      const bytes = this.#find('read', path).content.bytes.subarray(offset, offset + length)
      if (bytes.length < length) throw systemError('ESHORTREAD', path)
      return bytes
    }
    return {
      md5: async (...range) =>
        createHash('md5')
          .update(read(...range))
          .digest('hex'),
      digest: async (algorithm, ...range) => {
        const digest = beginDigest(algorithm)
        digest.update(read(...range))
        return digest.digest('hex')
      },
      crc32: async (...range) => crc32(read(...range)),
      read: () => {
        throw new Error('Nothing is uploaded from here.')
      },
      open(path, algorithm) {
        const hash = beginDigest(algorithm)
        let at = 0
        return {
          append: async (length, signal) => {
            hash.update(read(path, at, length, signal))
            at += length
          },
          digest: async () => hash.digest('hex'),
          end: () => undefined,
        }
      },
      close: async () => undefined,
    }
  }
}

/** The same calls, each of which gives a promise. */
function promised(calls: object): object {
  const entries = Object.entries(calls) as readonly (readonly [string, (...given: unknown[]) => unknown])[]
  return Object.fromEntries(entries.map(([name, call]) => [name, async (...given: unknown[]) => call(...given)]))
}

/** What a cut leaves of a file's content. */
function survive(inode: Inode, random: () => number): void {
  const content = new Content(inode.durable.bytes)
  for (const { offset, bytes } of inode.unsynced) {
    const fate = random()
    if (fate < 0.4) content.write(bytes, offset)
    else if (fate < 0.6) content.write(bytes.subarray(0, Math.floor(random() * bytes.length)), offset)
    // The size grew, the content never came.
    else if (fate < 0.8) content.write(Buffer.alloc(bytes.length), offset)
  }
  inode.content = content
  inode.durable = new Content(content.bytes)
  inode.unsynced = []
  inode.wasCut = false
}

/** Writes what was written since the last sync once more, which is less than all of the file. */
function makeDurable(inode: Inode): void {
  if (inode.wasCut) inode.durable = new Content(inode.content.bytes)
  else for (const { offset, bytes } of inode.unsynced) inode.durable.write(bytes, offset)
  inode.unsynced = []
  inode.wasCut = false
}

function statsOf(inode: Inode, isBig: boolean): Stats | BigIntStats {
  const kind = { isFile: () => !inode.isFolder, isDirectory: () => inode.isFolder, isSymbolicLink: () => false }
  const { number, content, modifiedMs } = inode
  const facts = isBig
    ? { ino: BigInt(number), dev: 1n, size: BigInt(content.size), mtimeMs: BigInt(modifiedMs) }
    : { ino: number, dev: 1, size: content.size, mtimeMs: modifiedMs }
  return { ...kind, ...facts } as unknown as Stats
}
