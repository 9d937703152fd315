import { basename, dirname } from 'node:path'
import type { SourceIdentity } from '../../../electron/engine/core/records.ts'
import type { Random } from '../random.ts'
import type { SimDisk, SimFile } from '../machine/sim-disk.ts'
import type { Timeline } from '../timeline.ts'

interface SourceVersion {
  readonly bytes: Buffer
  readonly modifiedNs: string
  /** Milliseconds of virtual time. */
  readonly sinceMs: number
}

/** Whoever looks at a file has seen the change after this long. */
const SEEN_AFTER_MS = 10_000

/** Files that a person works on while they are uploaded. Every version is remembered. */
export class SimSources {
  readonly paths: string[] = []
  readonly #disk: SimDisk
  readonly #random: Random
  readonly #timeline: Timeline
  readonly #versions = new Map<string, SourceVersion[]>()
  readonly #away = new Map<string, SimFile>()
  readonly #touchedMs = new Map<string, number>()

  constructor(disk: SimDisk, random: Random, timeline: Timeline) {
    this.#disk = disk
    this.#random = random
    this.#timeline = timeline
  }

  create(path: string, sizeBytes = this.#size()): void {
    this.paths.push(path)
    this.#save(path, this.#disk.create(path, true), this.#bytes(sizeBytes))
  }

  /** Another version, in place or as a file of its own, often of the same size. */
  change(path: string): void {
    const file = this.#disk.file(path)
    if (file === null) return
    const bytes = this.#bytes(this.#random.chance(0.6) ? file.bytes.length : this.#size())
    this.#save(path, this.#random.chance(0.5) ? file : this.#disk.create(path, true), bytes)
  }

  /** The same bytes and times in another file, as a backup leaves them. */
  restore(path: string): void {
    const file = this.#disk.file(path)
    if (file === null) return
    const copy = this.#disk.create(path, true)
    copy.write(0, file.bytes)
    copy.modifiedMs = file.modifiedMs
    this.#sync(path, copy)
  }

  /** The drive is gone, or comes back. */
  toggle(path: string): void {
    const file = this.#disk.file(path)
    const away = this.#away.get(path)
    if (file !== null) this.#away.set(path, file)
    else this.#away.delete(path)
    this.#touchedMs.set(path, this.#timeline.nowMs)
    this.#disk.folder(dirname(path)).change(new Map([[basename(path), file === null ? (away ?? null) : null]]))
    this.#disk.folder(dirname(path)).sync()
  }

  /** Everything is there, and answers. */
  heal(): void {
    this.#disk.hang.end()
    for (const path of [...this.#away.keys()]) this.toggle(path)
  }

  /** What is at the path, and has been for a while; null: nothing, or not for so long. */
  settled(path: string): Buffer | null {
    const isFresh = this.#timeline.nowMs - (this.#touchedMs.get(path) ?? 0) < SEEN_AFTER_MS
    return isFresh ? null : (this.#disk.file(path)?.bytes ?? null)
  }

  /** What the file was when it was this. */
  versionOf(path: string, { sizeBytes, modifiedNs }: SourceIdentity): Buffer | null {
    const versions = this.#versions.get(path) ?? []
    return versions.find((each) => each.modifiedNs === modifiedNs && each.bytes.length === sizeBytes)?.bytes ?? null
  }

  /** Whether any of the files ever was this. */
  everWas(bytes: Buffer): boolean {
    return [...this.#versions.values()].some((versions) => versions.some((version) => version.bytes.equals(bytes)))
  }

  /** When the file became another than one of its versions (milliseconds of virtual time); Infinity: it has not. */
  leftAtMs(path: string, version: Buffer): number {
    const versions = this.#versionsOf(path)
    return versions[versions.findIndex(({ bytes }) => bytes === version) + 1]?.sinceMs ?? Infinity
  }

  #save(path: string, file: SimFile, bytes: Buffer): void {
    file.truncate(0)
    file.write(0, bytes)
    // Times of the disk are whole microseconds, and no two versions have the same.
    file.modifiedMs = Date.UTC(2026, 0, 1) + Math.floor(this.#timeline.nowMs) + this.#versionsOf(path).length
    this.#sync(path, file)
    this.#versionsOf(path).push({ bytes, modifiedNs: `${file.modifiedMs}000000`, sinceMs: this.#timeline.nowMs })
  }

  #versionsOf(path: string): SourceVersion[] {
    const versions = this.#versions.get(path) ?? []
    this.#versions.set(path, versions)
    return versions
  }

  #sync(path: string, file: SimFile): void {
    this.#touchedMs.set(path, this.#timeline.nowMs)
    file.sync()
    this.#disk.folder(dirname(path)).sync()
  }

  #size(): number {
    const random = this.#random
    const most = random.pick([0, 1, 8192, 40_000, 70_000, 70_000, 150_000])
    return random.chance(0.3) ? most : random.below(most + 1)
  }

  #bytes(sizeBytes: number): Buffer {
    const bytes = Buffer.from(new ArrayBuffer(sizeBytes))
    let word = this.#random.below(2 ** 31) | 1
    for (let index = 0; index < sizeBytes; index += 1) {
      if (index % 4 === 0) {
        word ^= word << 13
        word ^= word >>> 17
        word ^= word << 5
      }
      bytes[index] = word >>> (8 * (index % 4))
    }
    return bytes
  }
}
