import { createHmac, timingSafeEqual } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { z } from 'zod'
import type { ByteRange } from '../../../shared/byte-range.ts'
import { parseJson } from '../../../shared/parse-json.ts'
import { fitting } from '../../parsing/fitting.ts'
import type { DownloadRecord, ObjectIdentity, RangeRecord, StoreLocation } from '../core/records.ts'
import type { FileSystem } from '../core/deps.ts'
import { joined } from '../core/byte-ranges.ts'
import { orNull } from '../files/file-errors.ts'
import { readSmallFile } from '../files/read-small-file.ts'
import { ownProcess, type Owner } from './owner.ts'
import { sidecarNamesOf, sidecarPathOf } from './partial-file.ts'

/**
 * A partial file's sidecar is JSON lines. The first says what the bytes belong to. The second is the first one's
 * HMAC-SHA-256 with a key of this user: without it, anybody may have written the file. Each later line says that a
 * range was written, or can't be trusted any more. The lines are not synced: whatever they say is believed only once
 * the bytes fit their CRC-32.
 */
const header = z.object({
  version: z.literal(2),
  /** The process that writes the partial file, or did. */
  owner: z.string(),
  /** Sidecars of earlier versions don't have it. */
  ownerStart: z.string().nullable().default(null),
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

const mac = z.object({ mac: z.string().regex(/^[0-9a-f]{64}$/) })

/** A range and its CRC-32, or null for a range that was lost. JSON.parse would cost several times as much. */
const RANGE_LINE = /^\[(\d{1,15}),(\d{1,15}),(?:(\d{1,10})|null)\]$/

/** Half a million notes. Nothing is noted beyond this, so a longer sidecar is not ours. */
const MAX_SIDECAR_BYTES = 16 * 1024 * 1024

/** What a sidecar says. None of it is proven. */
export interface SidecarContent extends Owner {
  /** Whether it was written with the key of this user: then the bytes beside it came from where it says. */
  readonly isOurs: boolean
  /** As in the list it comes from: places of another list have other ids, and links have lost their query. */
  readonly location: StoreLocation
  /** Address of the place's service; null when unknown. */
  readonly endpoint: string | null
  readonly key: string
  readonly targetPath: string
  readonly identity: ObjectIdentity
  /** The ranges that it says are there, sorted by start; they may overlap. */
  readonly written: readonly RangeRecord[]
}

/** What the first line of a sidecar says. */
export type SidecarSubject = Pick<DownloadRecord, 'location' | 'key' | 'targetPath'> & {
  readonly endpoint: string | null
}

/** Notes what was written, in order. Never throws: without the sidecar, only a lost database would cost progress. */
export class Sidecar {
  #handle: FileHandle | null
  #bytes: number
  #waiting = ''
  #appending: Promise<void> | null = null

  private constructor(handle: FileHandle | null, bytes: number) {
    this.#handle = handle
    this.#bytes = bytes
  }

  /**
   * Writes the sidecar of `partialPath` anew. The old one stays until the new one is complete. `macKey` is null when
   * some of the bytes are borrowed, because nothing vouches for those.
   */
  static async create(
    fileSystem: FileSystem,
    partialPath: string,
    subject: SidecarSubject,
    identity: ObjectIdentity,
    written: readonly RangeRecord[],
    macKey: Uint8Array | null,
  ): Promise<Sidecar> {
    const { location, endpoint, key, targetPath } = subject
    const facts = { version: 2, ...ownProcess(), location: withoutSecrets(location), endpoint, key, targetPath }
    const [path, newPath] = sidecarNamesOf(partialPath)
    const first = JSON.stringify({ ...facts, ...identity })
    const second = macKey === null ? '' : `${JSON.stringify({ mac: macOf(macKey, first) })}\n`
    const text = `${first}\n${second}${linesOf(written)}`
    let handle: FileHandle | null = null
    try {
      await orNull(fileSystem.unlink(newPath))
      handle = await fileSystem.open(newPath, 'wx')
      await handle.appendFile(text)
      await handle.datasync()
      await fileSystem.rename(newPath, path)
      return new Sidecar(handle, Buffer.byteLength(text))
    } catch {
      await handle?.close().catch(() => undefined)
      return new Sidecar(null, 0)
    }
  }

  /** Notes ranges whose bytes are written. */
  wrote(ranges: readonly RangeRecord[]): void {
    if (ranges.length > 0) this.#append(linesOf(ranges))
  }

  /** Withdraws ranges that the file system may have lost. */
  lost(ranges: readonly ByteRange[]): void {
    if (ranges.length > 0) this.#append(ranges.map(({ start, end }) => `[${start},${end},null]\n`).join(''))
  }

  /** Resolves once all notes are written, or have failed to be. They are not synced. */
  async close(): Promise<void> {
    await this.#appending
    await this.#handle?.close().catch(() => undefined)
    this.#handle = null
  }

  #append(text: string): void {
    // The text is ASCII: as many bytes as characters.
    this.#bytes += text.length
    if (this.#bytes > MAX_SIDECAR_BYTES) return
    this.#waiting += text
    this.#appending ??= this.#appendAll().finally(() => (this.#appending = null))
  }

  /** Notes that arrive while one append is under way go into the next. */
  async #appendAll(): Promise<void> {
    while (this.#waiting !== '' && this.#handle !== null) {
      const text = this.#waiting
      this.#waiting = ''
      try {
        await this.#handle.appendFile(text)
      } catch {
        // A gap in the notes could hide that a range was lost.
        await this.#handle.close().catch(() => undefined)
        this.#handle = null
      }
    }
  }
}

/** Reads the sidecar of `partialPath`; null when there is none that can be read. */
export async function readSidecar(
  fileSystem: FileSystem,
  partialPath: string,
  macKey: Uint8Array,
): Promise<SidecarContent | null> {
  const bytes = await orNull(readSmallFile(fileSystem, sidecarPathOf(partialPath), MAX_SIDECAR_BYTES))
  return bytes && parseSidecar(bytes.toString(), macKey)
}

/** Parses what can be read, as the last line may be torn. Pure. */
export function parseSidecar(text: string, macKey: Uint8Array): SidecarContent | null {
  const [first = '', second = '', ...rest] = text.split('\n')
  const facts = fitting(header, parsedOrNull(first))
  if (facts === undefined) return null
  const { owner, ownerStart, location, endpoint, key, targetPath, sizeBytes, etag, lastModified } = facts
  const found = fitting(mac, parsedOrNull(second))
  const isOurs = found !== undefined && isMacOf(found.mac, macKey, first)
  const written = writtenOf(found === undefined ? [second, ...rest] : rest, sizeBytes)
  const identity = { sizeBytes, etag, lastModified }
  return { isOurs, owner, ownerStart, location, endpoint, key, targetPath, identity, written }
}

/**
 * The ranges that were noted and never lost. A range that was lost and written again is left out, too: foreign files
 * may have such lines by the million, and all it costs is fetching those bytes once more.
 */
function writtenOf(lines: readonly string[], sizeBytes: number): readonly RangeRecord[] {
  const written: RangeRecord[] = []
  const lost: ByteRange[] = []
  for (const line of lines) {
    const match = RANGE_LINE.exec(line)
    if (match === null) continue
    const [start, end, crc32] = [Number(match[1]), Number(match[2]), match[3]]
    if (start >= end || end > sizeBytes || Number(crc32 ?? 0) > 0xffff_ffff) continue
    if (crc32 === undefined) lost.push({ start, end })
    else written.push({ start, end, crc32: Number(crc32) })
  }
  return without(written, joined(lost))
}

/** Those of `ranges`, sorted by start, that overlap none of `lost`, which are sorted and joined. */
function without(ranges: RangeRecord[], lost: readonly ByteRange[]): readonly RangeRecord[] {
  let index = 0
  return ranges
    .sort((a, b) => a.start - b.start)
    .filter(({ start, end }) => {
      while ((lost[index]?.end ?? Infinity) <= start) index += 1
      return (lost[index]?.start ?? Infinity) >= end
    })
}

function macOf(macKey: Uint8Array, line: string): string {
  return createHmac('sha256', macKey).update(line).digest('hex')
}

function isMacOf(found: string, macKey: Uint8Array, line: string): boolean {
  return timingSafeEqual(Buffer.from(found, 'hex'), Buffer.from(macOf(macKey, line), 'hex'))
}

function linesOf(ranges: readonly RangeRecord[]): string {
  return ranges.map(({ start, end, crc32 }) => `[${start},${end},${crc32}]\n`).join('')
}

function parsedOrNull(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return null
  }
}

/** Removes a link's query, which may hold a signature. */
export function withoutSecrets(location: StoreLocation): StoreLocation {
  if (location.kind === 'place') return location
  const url = new URL(location.url)
  return { kind: 'link', url: `${url.origin}${url.pathname}` }
}
