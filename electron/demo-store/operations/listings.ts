// Pages of objects, uploads and parts, cut by marker, prefix and delimiter. Knows the catalog but no HTTP.

import type { BucketIndex } from '../storage/catalog.ts'
import type { StoredObject, StoredPart, StoredUpload } from '../storage/catalog-records.ts'
import { fromByteString, toByteString } from '../storage/sorted-names.ts'
import { ServiceError } from '../http/service-error.ts'

/** The default and maximum number of entries on a page (docs/dialect.md, Semantics). */
const MAX_PAGE_SIZE = 1000

export interface Page<Entry> {
  readonly entries: readonly Entry[]
  readonly isTruncated: boolean
}

/** Parses a page size. Throws InvalidArgument when it is not a number. */
export function pageSize(text: string | undefined): number {
  return Math.min(MAX_PAGE_SIZE, wholeNumber(text) ?? MAX_PAGE_SIZE)
}

/** Returns null when left out. Throws InvalidArgument when it is not a whole number. */
export function wholeNumber(text: string | undefined): number | null {
  if (text === undefined) return null
  if (!/^\d+$/.test(text)) throw new ServiceError('InvalidArgument', `“${text}” is not a whole number.`)
  return Number(text)
}

export type ListedEntry =
  | { readonly kind: 'object'; readonly name: string; readonly object: StoredObject }
  | { readonly kind: 'prefix'; readonly name: string }

export interface ListingRequest {
  readonly prefix: string
  /** Names with the same text up to its first occurrence after the prefix become one entry; empty to group none. */
  readonly delimiter: string
  /** Exclusive; empty to start at the beginning. */
  readonly marker: string
  readonly maxKeys: number
}

/** A page of a bucket's objects and common prefixes, ascending by UTF-8 bytes. Costs O(page · log objects). */
export function objectsPage({ objects, names }: BucketIndex, request: ListingRequest): Page<ListedEntry> {
  const [prefix, delimiter, marker] = [request.prefix, request.delimiter, request.marker].map(toByteString) as [
    string,
    string,
    string,
  ]
  const entries: ListedEntry[] = []
  let index = names.indexFrom(marker > prefix ? marker : prefix)
  for (let name = names.at(index); name?.startsWith(prefix); name = names.at(index)) {
    const delimiterAt = delimiter === '' ? -1 : name.indexOf(delimiter, prefix.length)
    const entryName = delimiterAt < 0 ? name : name.slice(0, delimiterAt + delimiter.length)
    // A common prefix counts as an entry under its own name, so a marker inside the prefix lies past it.
    const isPastMarker = marker === '' || entryName > marker
    if (isPastMarker && entries.length >= request.maxKeys) return { entries, isTruncated: request.maxKeys > 0 }
    const object = objects.get(fromByteString(name))
    if (isPastMarker && delimiterAt >= 0) entries.push({ kind: 'prefix', name: fromByteString(entryName) })
    else if (isPastMarker && object !== undefined) entries.push({ kind: 'object', name: object.key, object })
    index = delimiterAt < 0 ? index + 1 : indexAfter(names, entryName)
  }
  return { entries, isTruncated: false }
}

/** Unfinished uploads, ascending by key, then by uploadId. */
export function uploadsPage(
  uploads: readonly StoredUpload[],
  request: {
    readonly prefix: string
    readonly keyMarker: string
    readonly uploadIdMarker: string
    readonly maxUploads: number
  },
): Page<StoredUpload> {
  const markerKey = toByteString(request.keyMarker)
  const isPastMarker = (keyBytes: string, uploadId: string): boolean =>
    keyBytes > markerKey ||
    (keyBytes === markerKey && request.uploadIdMarker !== '' && uploadId > request.uploadIdMarker)
  const rows = uploads
    .filter(({ key }) => key.startsWith(request.prefix))
    .map((upload) => ({ upload, keyBytes: toByteString(upload.key) }))
    .filter(({ upload, keyBytes }) => isPastMarker(keyBytes, upload.uploadId))
    .sort((one, other) => compare(one.keyBytes, other.keyBytes) || compare(one.upload.uploadId, other.upload.uploadId))
    .map(({ upload }) => upload)
  return pageOf(rows, request.maxUploads)
}

/** Stored parts, ascending by number. */
export function partsPage(
  upload: StoredUpload,
  request: { readonly marker: number; readonly maxParts: number },
): Page<StoredPart & { readonly partNumber: number }> {
  const rows = Array.from(upload.parts, ([partNumber, part]) => ({ ...part, partNumber }))
    .filter(({ partNumber }) => partNumber > request.marker)
    .sort((one, other) => one.partNumber - other.partNumber)
  return pageOf(rows, request.maxParts)
}

function pageOf<Entry>(rows: readonly Entry[], size: number): Page<Entry> {
  return { entries: rows.slice(0, size), isTruncated: size > 0 && rows.length > size }
}

/** Returns the index of the first name after those that start with `prefix`; at least one name must. */
function indexAfter(names: BucketIndex['names'], prefix: string): number {
  // No byte of UTF-8 is 0xff, so this bound is above every name with the prefix and below all names after them.
  return names.indexFrom(`${prefix}\xff`)
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}
