import { z } from 'zod'
import { MAX_PART_COUNT } from '../../../shared/limits.ts'
import { parseJson } from '../../../shared/parse-json.ts'
import { parseForeign } from '../../parsing/fitting.ts'
import type { ListedPart } from '../../stores/port/object-store.ts'
import { PartsListError, type PartsListFault } from './parts-list-fault.ts'

/** The parts of an upload, as this or another tool wrote them down. */
export interface PartsList {
  /** Null, like the next two, if the list doesn't say. */
  readonly uploadId: string | null
  readonly key: string | null
  readonly bucket: string | null
  /** Ascending by part number, each number once. */
  readonly parts: readonly ListedByOthers[]
}

export interface ListedByOthers {
  readonly partNumber: number
  /** Without quotes. */
  readonly etag: string
  readonly sizeBytes: number | null
}

const partNumber = z.int().min(1, 'is not between 1 and 10,000').max(MAX_PART_COUNT, 'is not between 1 and 10,000')
const etag = z.string().transform((text) => text.replace(/^"(.*)"$/, '$1'))
const sizeBytes = z.int().nonnegative()
const name = z.string().min(1).nullish()

const address = { uploadId: name, key: name, bucket: name }

/** Our own format; each part may also use S3's spelling. */
const own = z.object({
  ...address,
  parts: z
    .array(
      z.preprocess(
        inOwnSpelling,
        z.object({ partNumber, etag: etag.pipe(z.string().min(1)), size: sizeBytes.nullish() }),
      ),
    )
    .min(1)
    .max(MAX_PART_COUNT),
})

/**
 * The body of CompleteMultipartUpload, or the answer to ListParts as S3's tools print it (docs/dialect.md, Requests).
 */
const service = z.object({
  ...address,
  UploadId: name,
  Key: name,
  Bucket: name,
  Parts: z
    .array(z.object({ PartNumber: partNumber, ETag: etag.pipe(z.string().min(1)), Size: sizeBytes.nullish() }))
    .min(1)
    .max(MAX_PART_COUNT),
})

/** Reads a parts list in either spelling. Throws PartsListError. Pure. */
export function parsePartsList(text: string): PartsList {
  const body = parseBody(text)
  const isService = typeof body === 'object' && body !== null && 'Parts' in body
  const parsed = parseForeign(isService ? service.transform(toOwn) : own, body)
  if (!parsed.success) throw new PartsListError(faultOf(parsed.error))
  const { uploadId, key, bucket, parts } = parsed.data
  const sorted = parts
    .map((part) => ({ partNumber: part.partNumber, etag: part.etag, sizeBytes: part.size ?? null }))
    .sort((one, other) => one.partNumber - other.partNumber)
  const twice = sorted.find((part, index) => part.partNumber === sorted[index - 1]?.partNumber)
  if (twice !== undefined) throw new PartsListError({ kind: 'repeated-part', partNumber: twice.partNumber })
  return { uploadId: uploadId ?? null, key: key ?? null, bucket: bucket ?? null, parts: sorted }
}

/**
 * Whether a JSON text is meant as a parts list, valid or not: it holds parts, and an upload id or part numbers. Pure.
 */
export function isMeantAsPartsList(text: string): boolean {
  const body = parsedOrNull(text)
  if (typeof body !== 'object' || body === null) return false
  const { parts, Parts, uploadId, UploadId } = body as Record<string, unknown>
  const listed: unknown = parts ?? Parts
  if (!Array.isArray(listed)) return false
  if (uploadId !== undefined || UploadId !== undefined) return true
  const first: unknown = listed[0]
  return typeof first === 'object' && first !== null && ('PartNumber' in first || 'partNumber' in first)
}

function parsedOrNull(text: string): unknown {
  try {
    return parseBody(text)
  } catch {
    return null
  }
}

/** Writes what `parsePartsList` reads. Pure. */
export function writePartsList(
  upload: { readonly uploadId: string; readonly key: string; readonly bucket: string },
  parts: readonly Pick<ListedPart, 'partNumber' | 'etag' | 'sizeBytes'>[],
): string {
  const { uploadId, key, bucket } = upload
  const listed = parts.map((part) => ({ partNumber: part.partNumber, etag: part.etag, size: part.sizeBytes }))
  return `${JSON.stringify({ uploadId, key, bucket, parts: listed }, null, 2)}\n`
}

function toOwn(body: z.output<typeof service>): z.output<typeof own> {
  const parts = body.Parts.map((part) => ({ partNumber: part.PartNumber, etag: part.ETag, size: part.Size }))
  const { uploadId, key, bucket, UploadId, Key, Bucket } = body
  return { uploadId: UploadId ?? uploadId, key: Key ?? key, bucket: Bucket ?? bucket, parts }
}

function inOwnSpelling(part: unknown): unknown {
  if (typeof part !== 'object' || part === null || !('PartNumber' in part)) return part
  const { PartNumber, ETag, Size } = part as Readonly<Record<string, unknown>>
  return { partNumber: PartNumber, etag: ETag, size: Size, ...part }
}

function parseBody(text: string): unknown {
  try {
    return parseJson(text.replace(/^\uFEFF/, ''))
  } catch {
    throw new PartsListError({ kind: 'not-json' })
  }
}

function faultOf({ issues }: z.ZodError): PartsListFault {
  const [issue] = issues
  const [list, index, member] = issue?.path ?? []
  // No part number is left for one more entry.
  if (issue?.code === 'too_big' && index === undefined)
    return { kind: 'unusable-entry', entry: MAX_PART_COUNT + 1, member: 'partNumber' }
  if (issue === undefined || typeof index !== 'number' || member === undefined) {
    return { kind: list === undefined || issue?.code === 'invalid_type' ? 'no-parts-list' : 'empty' }
  }
  return { kind: 'unusable-entry', entry: index + 1, member: String(member) }
}
