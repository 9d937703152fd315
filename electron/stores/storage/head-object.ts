import { CONTENT_STATUSES, readHead, readHeadOfContent } from '../http/content.ts'
import { formatRange, parseContentLength } from '../http/header-values.ts'
import { leave } from '../http/messages.ts'
import type { HeadObjectRequest, ObjectHead } from '../object-store.ts'
import { STORE_ERROR, StoreError } from '../store-error.ts'
import type { Transport } from './transport.ts'

/**
 * HeadObject. A refusal of HEAD has no body that could name its reason, and the service may not know HEAD: then the
 * first byte is asked for instead (dialect: Semantics).
 */
export async function headObject(transport: Transport, { key, signal }: HeadObjectRequest): Promise<ObjectHead> {
  try {
    const response = await transport.send({
      operation: 'HeadObject',
      isDocumented: true,
      method: 'HEAD',
      key,
      accepts: [200],
      signal,
    })
    await leave(response)
    return readHead(response, parseContentLength(response.headers.get('content-length')))
  } catch (error) {
    if (!isUnexplained(error)) throw error
    return headByFirstByte(transport, key, signal)
  }
}

function isUnexplained(error: unknown): boolean {
  if (!(error instanceof StoreError) || error.code !== STORE_ERROR.unnamed) return false
  const status = error.httpStatus ?? 0
  return status === 501 || (status >= 400 && status < 500 && status !== 408 && status !== 429)
}

async function headByFirstByte(transport: Transport, key: string, signal: AbortSignal): Promise<ObjectHead> {
  const response = await transport.send({
    operation: 'GetObject',
    isDocumented: true,
    method: 'GET',
    key,
    headers: { range: formatRange({ start: 0, end: 1 }) },
    accepts: CONTENT_STATUSES,
    signal,
  })
  return readHeadOfContent(response)
}
