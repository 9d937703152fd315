// The operations that list: they parse a request's parameters and write its response. `listings.ts` makes the listing.

import { respondWithJson, quoted, type Exchange } from '../http/exchange.ts'
import { objectsPage, partsPage, uploadsPage, pageSize, wholeNumber } from './listings.ts'
import { findUpload } from './upload-operations.ts'

/** ListBuckets, in the form of the other listings. */
export function listBuckets({ response, buckets }: Exchange): void {
  respondWithJson(response, { Buckets: [...buckets].toSorted().map((name) => ({ Name: name })) })
}

/** ListObjects (docs/dialect.md, Requests). */
export function listObjects({ response, storage, target: { bucket, query } }: Exchange): void {
  const prefix = query.get('prefix') ?? ''
  const delimiter = query.get('delimiter') ?? ''
  const { entries, isTruncated } = objectsPage(storage.catalog.bucket(bucket), {
    prefix,
    delimiter,
    marker: query.get('marker') ?? '',
    maxKeys: pageSize(query.get('max-keys')),
  })
  respondWithJson(response, {
    Name: bucket,
    Prefix: prefix,
    Delimiter: delimiter,
    IsTruncated: isTruncated,
    ...(isTruncated && { NextMarker: entries.at(-1)?.name }),
    CommonPrefixes: entries.flatMap((entry) => (entry.kind === 'prefix' ? [entry.name] : [])),
    Contents: entries.flatMap((entry) =>
      entry.kind === 'object'
        ? [
            {
              Key: entry.name,
              Size: entry.object.sizeBytes,
              ETag: quoted(entry.object.etag),
              LastModified: isoTime(entry.object.lastModifiedMs),
            },
          ]
        : [],
    ),
  })
}

/** ListMultipartUploads (docs/dialect.md, Requests). */
export function listUploads({ response, storage, target: { bucket, query } }: Exchange): void {
  const { entries, isTruncated } = uploadsPage(storage.catalog.uploads(bucket), {
    prefix: query.get('prefix') ?? '',
    keyMarker: query.get('key-marker') ?? '',
    uploadIdMarker: query.get('upload-id-marker') ?? '',
    maxUploads: pageSize(query.get('max-uploads')),
  })
  const last = entries.at(-1)
  respondWithJson(response, {
    Bucket: bucket,
    IsTruncated: isTruncated,
    ...(isTruncated && { NextKeyMarker: last?.key, NextUploadIdMarker: last?.uploadId }),
    Uploads: entries.map(({ key, uploadId, initiatedMs }) => ({
      Key: key,
      UploadId: uploadId,
      Initiated: isoTime(initiatedMs),
    })),
  })
}

/** ListParts (docs/dialect.md, Requests). */
export function listParts(exchange: Exchange): void {
  const { bucket, key, query } = exchange.target
  const upload = findUpload(exchange)
  const maxParts = pageSize(query.get('max-parts'))
  const marker = wholeNumber(query.get('part-number-marker')) ?? 0
  const { entries, isTruncated } = partsPage(upload, { marker, maxParts })
  respondWithJson(exchange.response, {
    Bucket: bucket,
    Key: key,
    UploadId: upload.uploadId,
    MaxParts: maxParts,
    IsTruncated: isTruncated,
    ...(isTruncated && { NextPartNumberMarker: entries.at(-1)?.partNumber }),
    Parts: entries.map(({ partNumber, md5, sizeBytes, lastModifiedMs }) => ({
      PartNumber: partNumber,
      ETag: quoted(md5),
      Size: sizeBytes,
      LastModified: isoTime(lastModifiedMs),
    })),
  })
}

function isoTime(timeMs: number): string {
  return new Date(timeMs).toISOString()
}
