import type { FileHandle } from 'node:fs/promises'
import { hostname } from 'node:os'
import { z } from 'zod'
import type { ByteRange } from '../../../shared/byte-range.ts'
import type { DownloadRecord, ObjectIdentity, RangeRecord, StoreLocation } from '../core/records.ts'
import type { FileSystem } from '../core/deps.ts'
import { sidecarNamesOf, sidecarPathOf } from './partial-file.ts'
import { orNull } from '../files/file-errors.ts'

/**
 * A partial file's sidecar: JSON lines, the first of which says what the bytes belong to. Each later one says that a
 * range was written, or that one can't be trusted any more. They are not synced: whatever they say is believed only once
 * the bytes fit their CRC-32.
 */
const header = z.object({
  version: z.literal(2),
  /** Process that writes the partial file, or did: host and process id. */
  owner: z.string(),
  location: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('place'), placeId: z.string(), bucket: z.string() }),
    z.object({ kind: z.literal('link'), url: z.string().refine((url) => URL.canParse(url)) }),
  ]),
  /** Address of the place's service, without secrets; null when unknown. */
  endpoint: z.string().nullable(),
  key: z.string(),
  targetPath: z.string().min(1),
  sizeBytes: z.int().min(0),
  etag: z.string().nullable(),
  lastModified: z.string().nullable(),
})

const line = z.tuple([z.int().min(0), z.int().min(1), z.int().min(0).max(0xffff_ffff).nullable()])

/** More than any sidecar of ours. */
const MAX_SIDECAR_BYTES = 64 * 1024 * 1024

/** What a sidecar tells. Nothing of it is proven. */
export interface SidecarContent {
  readonly owner: string
  readonly location: StoreLocation
  readonly endpoint: string | null
  readonly key: string
  readonly targetPath: string
  readonly identity: ObjectIdentity
  /** Sorted by start; they may overlap. */
  readonly written: readonly RangeRecord[]
}

/** What the first line of a sidecar is made of. */
export type SidecarSubject = Pick<DownloadRecord, 'location' | 'key' | 'targetPath'> & {
  readonly endpoint: string | null
}

/** This process, as sidecars name it. */
export function sidecarOwner(): string {
  return `${hostname()}/${process.pid}`
}

/** Tells what was written, bit by bit and in order. Never throws: without it, a lost database costs the progress. */
export class Sidecar {
  #handle: FileHandle | null
  #waiting = ''
  #appending: Promise<void> | null = null

  private constructor(handle: FileHandle | null) {
    this.#handle = handle
  }

  /** Writes the sidecar of `partialPath` anew. The one before stays until the new one is complete. */
  static async create(
    fileSystem: FileSystem,
    partialPath: string,
    subject: SidecarSubject,
    identity: ObjectIdentity,
    written: readonly RangeRecord[],
  ): Promise<Sidecar> {
    const { location, endpoint, key, targetPath } = subject
    const facts = { version: 2, owner: sidecarOwner(), location: withoutSecrets(location), endpoint, key, targetPath }
    const [path, newPath] = sidecarNamesOf(partialPath)
    let handle: FileHandle | null = null
    try {
      await orNull(fileSystem.unlink(newPath))
      handle = await fileSystem.open(newPath, 'wx')
      await handle.appendFile(`${JSON.stringify({ ...facts, ...identity })}\n${linesOf(written)}`)
      await handle.datasync()
      await fileSystem.rename(newPath, path)
      return new Sidecar(handle)
    } catch {
      await handle?.close().catch(() => undefined)
      return new Sidecar(null)
    }
  }

  /** Notes ranges whose bytes are written. */
  wrote(ranges: readonly RangeRecord[]): void {
    if (ranges.length > 0) this.#append(linesOf(ranges))
  }

  /** Takes ranges back: the file system may have lost them. */
  lost(ranges: readonly ByteRange[]): void {
    if (ranges.length > 0) this.#append(ranges.map(({ start, end }) => `[${start},${end},null]\n`).join(''))
  }

  async close(): Promise<void> {
    await this.#appending
    await this.#handle?.close().catch(() => undefined)
    this.#handle = null
  }

  #append(text: string): void {
    this.#waiting += text
    this.#appending ??= this.#appendAll().finally(() => (this.#appending = null))
  }

  /** What comes while one append is under way goes into the next. */
  async #appendAll(): Promise<void> {
    while (this.#waiting !== '' && this.#handle !== null) {
      const text = this.#waiting
      this.#waiting = ''
      try {
        await this.#handle.appendFile(text)
      } catch {
        // A gap in what it says could hide that a range was lost.
        await this.#handle.close().catch(() => undefined)
        this.#handle = null
      }
    }
  }
}

/** What the sidecar of `partialPath` tells; null when there is none that can be read. */
export async function readSidecar(fileSystem: FileSystem, partialPath: string): Promise<SidecarContent | null> {
  const handle = await orNull(fileSystem.open(sidecarPathOf(partialPath), 'r'))
  if (handle === null) return null
  try {
    const { size } = await handle.stat()
    return size > MAX_SIDECAR_BYTES ? null : parseSidecar(await handle.readFile('utf8'))
  } finally {
    await handle.close()
  }
}

/** Reads what can be read: the last line may be torn. Pure. */
export function parseSidecar(text: string): SidecarContent | null {
  const [first = '', ...rest] = text.split('\n')
  const facts = header.safeParse(parseJson(first))
  if (!facts.success) return null
  const { owner, location, endpoint, key, targetPath, sizeBytes, etag, lastModified } = facts.data
  const identity = { sizeBytes, etag, lastModified }
  return { owner, location, endpoint, key, targetPath, identity, written: writtenOf(rest, sizeBytes) }
}

function writtenOf(lines: readonly string[], sizeBytes: number): readonly RangeRecord[] {
  let written: RangeRecord[] = []
  for (const text of lines) {
    const parsed = line.safeParse(parseJson(text))
    if (!parsed.success) continue
    const [start, end, crc32] = parsed.data
    if (start >= end || end > sizeBytes) continue
    if (crc32 === null) written = written.filter((range) => range.end <= start || range.start >= end)
    else written.push({ start, end, crc32 })
  }
  return written.sort((a, b) => a.start - b.start)
}

function linesOf(ranges: readonly RangeRecord[]): string {
  return ranges.map(({ start, end, crc32 }) => `[${start},${end},${crc32}]\n`).join('')
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** A link loses its query, which may hold a signature. */
export function withoutSecrets(location: StoreLocation): StoreLocation {
  if (location.kind === 'place') return location
  const url = new URL(location.url)
  return { kind: 'link', url: `${url.origin}${url.pathname}` }
}
