import { CONTENT_STATUSES, readContent, readHead, readHeadOfContent } from '../messages/content.ts'
import type { HttpResponse } from '../http/exchange.ts'
import { formatCondition, formatRange, parseContentLength } from '../messages/header-values.ts'
import { leave } from '../messages/error-responses.ts'
import type { GetObjectRequest, GetObjectResult, HeadObjectRequest, ObjectHead } from '../port/object-store.ts'
import { STORE_ERROR, StoreError } from '../port/store-error.ts'
import { unlessPage } from '../messages/web-page.ts'
import { metadataOf, traitsOf } from './object-headers.ts'
import type { S3Transport } from './transport.ts'

/** Sends GetObject; the response has one of CONTENT_STATUSES. */
export async function sendGet(transport: S3Transport, request: GetObjectRequest): Promise<HttpResponse> {
  const { key, range, ifModifiedSince, ifNoneMatch, ifMatch, ifUnmodifiedSince, version, signal } = request
  const { facts } = transport.provider
  const headers = {
    range: range === undefined ? undefined : formatRange(range),
    'if-modified-since': ifModifiedSince,
    'if-none-match': facts.ifMatch ? formatCondition(ifNoneMatch) : undefined,
    'if-match': facts.ifMatch ? formatCondition(ifMatch) : undefined,
    'if-unmodified-since': facts.ifMatch ? ifUnmodifiedSince : undefined,
    ...checksumMode(transport),
  }
  const get = { operation: 'GetObject', method: 'GET', key, headers, accepts: CONTENT_STATUSES, signal } as const
  return unlessPage(await transport.send(get), { name: key, hasVersion: true, version })
}

function checksumMode({ provider }: S3Transport) {
  return provider.facts.givesChecksums ? { 'x-amz-checksum-mode': 'ENABLED' } : {}
}

/** HeadObject; requests the first byte instead when the response has no body to name its reason. */
export async function sendHead(transport: S3Transport, { key, signal }: HeadObjectRequest): Promise<HttpResponse> {
  try {
    const headers = checksumMode(transport)
    const head = { operation: 'HeadObject', method: 'HEAD', key, headers, accepts: [200], signal } as const
    return await unlessPage(await transport.send(head), { name: key, hasVersion: true })
  } catch (error) {
    if (!isUnexplained(error)) throw error
    return sendGet(transport, { key, range: { start: 0, end: 1 }, signal })
  }
}

function isUnexplained(error: unknown): boolean {
  if (!(error instanceof StoreError)) return false
  const { code, httpStatus } = error
  return (
    code === STORE_ERROR.notImplemented || (code === STORE_ERROR.unnamed && (httpStatus === 400 || httpStatus === 403))
  )
}

/** Reads the object's head from a response to `sendHead`. */
export async function headOf(response: HttpResponse): Promise<ObjectHead> {
  const own = { metadata: metadataOf(response), traits: traitsOf(response) }
  const isWhole = response.status === 200 && response.headers.get('content-range') === undefined
  if (!isWhole) return { ...(await readHeadOfContent(response)), ...own }
  await leave(response)
  return { ...readHead(response, parseContentLength(response.headers.get('content-length'))), ...own }
}

/** Reads the response to `sendGet`. Throws BadAnswer as `readContent` does. */
export async function contentOf(response: HttpResponse): Promise<GetObjectResult> {
  const result = await readContent(response)
  if (result.kind !== 'content') return result
  return { ...result, head: { ...result.head, metadata: metadataOf(response) } }
}
