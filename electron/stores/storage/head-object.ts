import { readHead, readHeadOfContent } from '../messages/content.ts'
import { parseContentLength } from '../messages/header-values.ts'
import { leave } from '../messages/error-answers.ts'
import type { HeadObjectRequest, ObjectHead } from '../port/object-store.ts'
import { STORE_ERROR, StoreError } from '../port/store-error.ts'
import { sendGet } from './objects.ts'
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
    // On 200 the whole object would follow: its bytes are left.
    return readHeadOfContent(await sendGet(transport, { key, range: { start: 0, end: 1 }, signal }))
  }
}

function isUnexplained(error: unknown): boolean {
  if (!(error instanceof StoreError) || error.code !== STORE_ERROR.unnamed) return false
  const status = error.httpStatus ?? 0
  return status === 501 || (status >= 400 && status < 500 && status !== 408 && status !== 429)
}
