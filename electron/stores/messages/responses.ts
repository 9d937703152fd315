// Reads responses with results or listings, which are the same in both dialects once a `ParseBody` has parsed the body.

import { z } from 'zod'
import { MAX_PART_COUNT, MIB } from '../../../shared/limits.ts'
import type { ListedBucket } from '../../../shared/place/place.ts'
import { fitting } from '../../parsing/fitting.ts'
import type { HttpResponse } from '../http/exchange.ts'
import { compareKeys } from '../port/key-order.ts'
import type {
  CompleteMultipartUploadResult,
  ListMultipartUploadsPage,
  ListObjectsPage,
  ListObjectsRequest,
  ListPartsPage,
  PutResult,
} from '../port/object-store.ts'
import { errorOfText, parseJsonObject, readMessage, requestIdOf } from './error-responses.ts'
import { unquoteEtag } from './header-values.ts'
import { badMessage, isPageText } from './web-page.ts'

/** Fits a page of 1,000 keys of 1,024 bytes, each byte escaped as six characters. */
const MAX_PAGE_BYTES = 8 * MIB

/** Far more than any service lists at once. Saying of each of millions of entries what is wrong with it takes gigabytes. */
const MAX_PAGE_ENTRIES = 100_000

/** Parses a body to the members of the JSON in docs/dialect.md (Requests); null when it is not such a body. */
export type ParseBody = (text: string) => Record<string, unknown> | null

const text = z.string().min(1)
const wholeNumber = z.number().int().nonnegative()
/** Members without information count as absent, whatever form they take: null, an empty text, part number 0. */
const optionalText = z
  .string()
  .nullish()
  .transform((value) => (value === '' ? null : (value ?? null)))
const optionalPartNumber = z
  .preprocess((value) => (value === '' ? null : value), z.coerce.number().int().nullish())
  .transform((value) => (value === 0 ? null : (value ?? null)))
const flag = z
  .boolean()
  .nullish()
  .transform((value) => value ?? false)
const listOf = <Schema extends z.ZodType>(entry: Schema) =>
  z
    .array(entry)
    .max(MAX_PAGE_ENTRIES)
    .nullish()
    .transform((entries) => entries ?? [])

const createResult = z.object({ UploadId: text, Key: optionalText })
const completeResult = z.object({ ETag: optionalText, Key: optionalText, Location: optionalText })
const partsPage = z.object({
  IsTruncated: flag,
  NextPartNumberMarker: optionalPartNumber,
  Parts: listOf(z.object({ PartNumber: wholeNumber, ETag: text, Size: wholeNumber, LastModified: optionalText })),
})
const uploadsPage = z.object({
  IsTruncated: flag,
  NextKeyMarker: optionalText,
  NextUploadIdMarker: optionalText,
  Uploads: listOf(z.object({ Key: text, UploadId: text, Initiated: optionalText })),
})
const objectsPage = z.object({
  IsTruncated: flag,
  NextMarker: optionalText,
  CommonPrefixes: listOf(text),
  Contents: listOf(z.object({ Key: text, Size: wholeNumber, ETag: optionalText, LastModified: z.string() })),
})

const bucketList = z.object({ Buckets: listOf(z.object({ Name: text, CreationDate: optionalText })) })

/** Reads the response to PutObject or UploadPart. Throws BadAnswer without an ETag. */
export async function readPutResult(response: HttpResponse): Promise<PutResult> {
  const text = await readMessage(response)
  const etag = unquoteEtag(response.headers.get('etag'))
  // Pages have ETags as well.
  if (etag === null || isPageText(response, text)) throw badMessage(response, 'no ETag')
  return { etag, requestId: requestIdOf(response) }
}

/** Reads the response to CreateMultipartUpload for `key`. Throws BadAnswer for anything else. */
export async function readCreateResult(response: HttpResponse, key: string, parse: ParseBody = parseJsonObject) {
  const body = await readBody(response, parse, createResult)
  if ((body.Key ?? key) !== key) throw badMessage(response, 'an upload for a different key')
  return { uploadId: body.UploadId, requestId: requestIdOf(response) }
}

/**
 * Reads the response to CompleteMultipartUpload for `key`. A 200 may hold an error, which is thrown as such. Only a
 * parsed response with an ETag is success; everything else is a BadAnswer whose outcome is unknown.
 */
export async function readCompleteResult(
  response: HttpResponse,
  key: string,
  nowMs: number,
  parse: ParseBody = parseJsonObject,
  findEtag: () => Promise<string | null> = () => Promise.resolve(null),
): Promise<CompleteMultipartUploadResult> {
  const body = await readMessage(response)
  const error = errorOfText(response, body, 'CompleteMultipartUpload', nowMs)
  if (error !== null) throw error
  const data = fitting(completeResult, parse(body))
  const etag = data === undefined ? null : (unquoteEtag(data.ETag ?? undefined) ?? (await findEtag()))
  if (data === undefined || etag === null) throw badMessage(response, 'a body that does not state the outcome')
  if ((data.Key ?? key) !== key) throw badMessage(response, 'the completion of a different key')
  return { etag, location: data.Location, requestId: requestIdOf(response) }
}

/** Reads the page of ListParts after `after`. Throws BadAnswer when it is not such a page or does not advance. */
export async function readPartsPage(
  response: HttpResponse,
  after: number,
  parse: ParseBody = parseJsonObject,
): Promise<ListPartsPage> {
  const body = await readBody(response, parse, partsPage)
  const next = body.IsTruncated ? (body.NextPartNumberMarker ?? body.Parts.at(-1)?.PartNumber ?? 0) : null
  if (next !== null && (next <= after || next > MAX_PART_COUNT))
    throw badMessage(response, 'a page that does not advance')
  const parts = body.Parts.map((part) => ({
    partNumber: part.PartNumber,
    etag: unquoteEtag(part.ETag) ?? '',
    sizeBytes: part.Size,
    lastModified: part.LastModified,
  }))
  return { parts, nextPartNumberMarker: next, requestId: requestIdOf(response) }
}

/**
 * Reads the page of ListMultipartUploads after these markers. Throws BadAnswer for anything else or a lack of progress.
 */
export async function readUploadsPage(
  response: HttpResponse,
  afterKey: string,
  afterUploadId: string,
  parse: ParseBody = parseJsonObject,
): Promise<ListMultipartUploadsPage> {
  const body = await readBody(response, parse, uploadsPage)
  const last = body.Uploads.at(-1)
  const next = body.IsTruncated
    ? {
        keyMarker: body.NextKeyMarker ?? last?.Key ?? '',
        uploadIdMarker: body.NextUploadIdMarker ?? last?.UploadId ?? '',
      }
    : null
  if (next !== null && !comesAfter(next, afterKey, afterUploadId))
    throw badMessage(response, 'a page that does not advance')
  const uploads = body.Uploads.map(({ Key, UploadId, Initiated }) => ({
    key: Key,
    uploadId: UploadId,
    initiated: Initiated,
  }))
  return { uploads, next, requestId: requestIdOf(response) }
}

/**
 * Keys ascend, and uploads of one key come in the order in which they were begun. Ceph sorts by key and upload id as
 * one text, `a.2~…` after `a-b.2~…`, so a key may come after longer keys that begin with it.
 */
function comesAfter(
  { keyMarker, uploadIdMarker }: NonNullable<ListMultipartUploadsPage['next']>,
  afterKey: string,
  afterUploadId: string,
): boolean {
  if (keyMarker === '') return false
  if (keyMarker === afterKey) return uploadIdMarker !== afterUploadId
  return compareKeys(keyMarker, afterKey) > 0 || afterKey.startsWith(keyMarker)
}

/**
 * Reads the page of ListObjects below `prefix`, after `marker`. Throws BadAnswer when it is not such a page, does not
 * advance, or has keys outside the prefix: deleting a folder deletes what is listed.
 */
export async function readObjectsPage(
  response: HttpResponse,
  { prefix = '', marker: after = '' }: Pick<ListObjectsRequest, 'prefix' | 'marker'>,
  parse: ParseBody = parseJsonObject,
): Promise<ListObjectsPage> {
  const body = await readBody(response, parse, objectsPage)
  const lastNames = [body.Contents.at(-1)?.Key ?? '', body.CommonPrefixes.at(-1) ?? '']
  const next = body.IsTruncated ? (body.NextMarker ?? lastNames.sort(compareKeys).at(-1) ?? '') : null
  if (next !== null && compareKeys(next, after) <= 0) throw badMessage(response, 'a page that does not advance')
  const names = [...body.Contents.map(({ Key }) => Key), ...body.CommonPrefixes]
  if (!names.every((name) => name.startsWith(prefix))) throw badMessage(response, 'keys outside the requested folder')
  const objects = body.Contents.map(({ Key, Size, ETag, LastModified }) => ({
    key: Key,
    sizeBytes: Size,
    etag: unquoteEtag(ETag ?? undefined) ?? '',
    lastModified: LastModified,
  }))
  return { objects, prefixes: body.CommonPrefixes, nextMarker: next, requestId: requestIdOf(response) }
}

/** Reads the response to ListBuckets. Throws BadAnswer for anything else. */
export async function readBuckets(
  response: HttpResponse,
  parse: ParseBody = parseJsonObject,
): Promise<readonly ListedBucket[]> {
  const { Buckets } = await readBody(response, parse, bucketList)
  return Buckets.map(({ Name, CreationDate }) => ({ name: Name, createdAt: CreationDate }))
}

async function readBody<Shape extends z.ZodRawShape>(
  response: HttpResponse & { readonly isInDoubt?: boolean },
  parse: ParseBody,
  schema: z.ZodObject<Shape>,
): Promise<z.output<z.ZodObject<Shape>>> {
  const members = parse(await readMessage(response, MAX_PAGE_BYTES))
  const data = fitting(schema, members)
  const isForeign = response.isInDoubt === true && isOfSomethingElse(members, schema)
  if (data === undefined || isForeign) throw badMessage(response, 'an unexpected body')
  return data
}

/** Members that stand in answers without being read. */
const UNREAD_MEMBERS: readonly string[] = ['Bucket', 'Name', 'Key', 'Prefix', 'MaxKeys', 'MaxParts', 'MaxUploads']

/** Whether members say something, but nothing of what `schema` describes: a network may put a message of its own here. */
function isOfSomethingElse(members: Record<string, unknown> | null, schema: z.ZodObject): boolean {
  const names = Object.keys(members ?? {})
  const known = [...Object.keys(schema.shape), ...UNREAD_MEMBERS]
  return names.length > 0 && !names.some((name) => known.includes(name))
}
