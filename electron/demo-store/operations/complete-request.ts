import type { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import { MIN_PART_SIZE_BYTES } from '../../../shared/limits.ts'
import type { StoredPart } from '../storage/catalog-records.ts'
import { ServiceError } from '../http/service-error.ts'

/** One entry of the Complete request (docs/dialect.md, Documented). */
export interface CompletedEntry {
  readonly partNumber: number
  readonly etag: string
}

/** Parses the part list of a Complete body, in its order. Throws MalformedJSON for another shape or an empty list. */
export function parsePartList(body: Buffer): readonly CompletedEntry[] {
  const parsed = parseJson(body)
  const parts = isRecord(parsed) ? parsed['Parts'] : undefined
  if (!Array.isArray(parts) || parts.length === 0) throw malformed()
  return parts.map((entry: unknown) => {
    if (!isRecord(entry)) throw malformed()
    const { PartNumber: partNumber, ETag: etag } = entry
    if (typeof partNumber !== 'number' || !Number.isSafeInteger(partNumber) || typeof etag !== 'string')
      throw malformed()
    return { partNumber, etag: unquote(etag) }
  })
}

/**
 * Returns the stored part of each entry. Throws InvalidPartOrder, InvalidPart or EntityTooSmall, each checked over the
 * whole list in this order (docs/dialect.md, Semantics).
 */
export function chooseParts(
  entries: readonly CompletedEntry[],
  stored: ReadonlyMap<number, StoredPart>,
): readonly (StoredPart & { readonly partNumber: number })[] {
  if (entries.some(({ partNumber }, index) => index > 0 && partNumber <= (entries[index - 1]?.partNumber ?? 0))) {
    throw new ServiceError('InvalidPartOrder', 'The part numbers must be in ascending order.')
  }
  const parts = entries.map(({ partNumber, etag }) => {
    const part = stored.get(partNumber)
    if (part?.md5 !== etag) {
      throw new ServiceError('InvalidPart', `Part ${partNumber} was not uploaded, or its ETag is different.`)
    }
    return { ...part, partNumber }
  })
  const tooSmall = parts.slice(0, -1).find(({ sizeBytes }) => sizeBytes <= MIN_PART_SIZE_BYTES)
  if (tooSmall !== undefined) {
    throw new ServiceError(
      'EntityTooSmall',
      `Part ${tooSmall.partNumber} must be larger than ${MIN_PART_SIZE_BYTES} bytes.`,
    )
  }
  return parts
}

/** ETag of a multipart object: the MD5 of its parts' binary MD5s, and their number (docs/dialect.md, Semantics). */
export function multipartEtag(parts: readonly StoredPart[]): string {
  const hash = createHash('md5')
  for (const { md5 } of parts) hash.update(md5, 'hex')
  return `${hash.digest('hex')}-${parts.length}`
}

function unquote(etag: string): string {
  return etag.replace(/^"(.*)"$/s, '$1')
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    throw malformed()
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function malformed(): ServiceError {
  return new ServiceError(
    'MalformedJSON',
    'The body must be {"Parts":[{"PartNumber":1,"ETag":"…"}]} with at least one part.',
  )
}
