import { MIB } from '../../../shared/limits.ts'
import { leave, readMessage, requestIdOf } from '../messages/error-responses.ts'
import { parseContentLength, unquoteEtag } from '../messages/header-values.ts'
import { badMessage, unlessPage } from '../messages/web-page.ts'
import { childText, parseXml, type XmlElement } from '../messages/xml.ts'
import type { HeadPartRequest, ListObjectPartsPage, ListObjectPartsRequest, ObjectPart } from '../port/object-store.ts'
import type { S3Transport } from './transport.ts'

/** A page of 1,000 parts with a checksum each takes about 250 KB. */
const MAX_PAGE_BYTES = 2 * MIB
const MAX_PARTS = 1000

/**
 * HeadObject with `partNumber`: the Content-Length is that of the part, the ETag that of the object (Amazon S3 API
 * Reference, HeadObject).
 */
export async function headPart(
  transport: S3Transport,
  { key, partNumber, signal }: HeadPartRequest,
): Promise<ObjectPart> {
  const response = await transport.send({
    operation: 'HeadObject',
    method: 'HEAD',
    key,
    query: [['partNumber', String(partNumber)]],
    accepts: [200, 206],
    signal,
  })
  await leave(await unlessPage(response, { name: key, hasVersion: true }))
  const { headers } = response
  return {
    etag: unquoteEtag(headers.get('etag')),
    sizeBytes: parseContentLength(headers.get('content-length')),
    requestId: requestIdOf(response),
  }
}

/**
 * GetObjectAttributes (Amazon S3 API Reference). It lists parts only for objects that were uploaded with checksums.
 * Throws BadAnswer for anything but such a page, and for one that does not advance.
 */
export async function listObjectParts(
  transport: S3Transport,
  { key, partNumberMarker, signal }: ListObjectPartsRequest,
): Promise<ListObjectPartsPage> {
  const response = await transport.send({
    operation: 'GetObjectAttributes',
    method: 'GET',
    key,
    query: [['attributes', '']],
    headers: {
      'x-amz-object-attributes': 'ETag,ObjectParts',
      'x-amz-max-parts': String(MAX_PARTS),
      'x-amz-part-number-marker': partNumberMarker === 0 ? undefined : String(partNumberMarker),
    },
    accepts: [200],
    signal,
  })
  const root = parseXml((await readMessage(response, MAX_PAGE_BYTES)).trimStart())
  if (root === null || !/^GetObjectAttributes/.test(root.name)) throw badMessage(response, 'an unexpected body')
  const list = root.children.find(({ name }) => name === 'ObjectParts')
  const parts = list?.children.filter(({ name }) => name === 'Part' || name === 'Parts') ?? []
  const sizes = parts.map((part) => Number(textOf(part, 'Size') ?? NaN))
  if (!sizes.every((size) => Number.isSafeInteger(size) && size >= 0)) throw badMessage(response, 'parts without sizes')
  const isTruncated = list !== undefined && textOf(list, 'IsTruncated') === 'true'
  const next = isTruncated ? Number(textOf(list, 'NextPartNumberMarker') ?? NaN) : null
  if (next !== null && !(next > partNumberMarker)) throw badMessage(response, 'a page that does not advance')
  const etag = unquoteEtag(textOf(root, 'ETag') ?? undefined)
  return { etag, sizes, nextPartNumberMarker: next, requestId: requestIdOf(response) }
}

function textOf(element: XmlElement, name: string): string | null {
  return childText(element, name)?.trim() ?? null
}
