import { MIB } from '../../../shared/limits.ts'
import { readMessage } from '../messages/error-responses.ts'
import { badMessage } from '../messages/web-page.ts'
import type { DeleteObjectsRequest } from '../port/object-store.ts'
import { STORE_ERROR, StoreError } from '../port/store-error.ts'
import type { S3Transport } from './transport.ts'
import { childText, escapeXml, parseXml, type XmlElement } from '../messages/xml.ts'
import { xmlRequest } from './xml-bodies.ts'

/** Fits a refusal of each of 1,000 keys. */
const MAX_RESPONSE_BYTES = 8 * MIB
/** The service answers only when the last object is gone. */
const RESPONSE_TIMEOUT_MS = 60_000
/**
 * Keys that XML 1.0 carries unambiguously. It can't express most control characters, and white space at an end, or of
 * unusual kinds, is read in several ways.
 */
const CERTAIN = /^(?! )[\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*(?<! )$/u

/**
 * DeleteObjects. Throws a StoreError, NotImplemented also for keys that XML may not carry faithfully: another object
 * might be deleted instead.
 */
export async function deleteObjects(
  transport: S3Transport,
  { keys, signal }: DeleteObjectsRequest,
): Promise<readonly string[]> {
  if (!transport.provider.facts.deletesMany || !keys.every((key) => CERTAIN.test(key))) {
    throw new StoreError(STORE_ERROR.notImplemented, 'The keys must be deleted one by one', { maybeProcessed: false })
  }
  const named = keys.map((key) => `<Object><Key>${escapeXml(key)}</Key></Object>`).join('')
  const response = await transport.send({
    operation: 'DeleteObjects',
    method: 'POST',
    key: null,
    query: [['delete', '']],
    ...xmlRequest('Delete', `<Quiet>true</Quiet>${named}`),
    headersTimeoutMs: RESPONSE_TIMEOUT_MS,
    accepts: [200],
    signal,
  })
  const root = parseXml((await readMessage(response, MAX_RESPONSE_BYTES)).trim())
  if (root?.name !== 'DeleteResult') throw badMessage(response, 'an unexpected body')
  const refused = new Set(root.children.filter(({ name }) => name === 'Error').flatMap(keyOf))
  const left = keys.filter((key) => refused.has(key))
  // A refused key that was not requested, or is written differently, may stand for any of them.
  return left.length === refused.size ? left : keys
}

/** Returns no key for NoSuchKey: the object is gone, as requested. */
function keyOf(error: XmlElement): readonly string[] {
  return childText(error, 'Code') === 'NoSuchKey' ? [] : [childText(error, 'Key') ?? '']
}
