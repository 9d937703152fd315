import { MIB } from '../../../shared/limits.ts'
import { readMessage } from '../messages/error-responses.ts'
import { badMessage } from '../messages/web-page.ts'
import type { DeleteObjectsRequest } from '../port/object-store.ts'
import { STORE_ERROR, StoreError } from '../port/store-error.ts'
import type { S3Transport } from './transport.ts'
import { childText, escapeXml, parseXml, type XmlElement } from '../messages/xml.ts'
import { xmlRequest } from './xml-bodies.ts'

/** A refusal of each of 1,000 keys fits. */
const MAX_RESPONSE_BYTES = 8 * MIB
/** The service answers when the last object is gone. */
const RESPONSE_TIMEOUT_MS = 60_000
/**
 * XML 1.0 has no words for most control characters, and white space at an end or of other kinds is read in several
 * ways.
 */
const CERTAIN = /^(?! )[\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*(?<! )$/u

/**
 * DeleteObjects. Throws StoreError, NotImplemented also for keys that XML can't hold for certain: another object might
 * go in their place.
 */
export async function deleteObjects(
  transport: S3Transport,
  { keys, signal }: DeleteObjectsRequest,
): Promise<readonly string[]> {
  if (!transport.provider.facts.deletesMany || !keys.every((key) => CERTAIN.test(key))) {
    throw new StoreError(STORE_ERROR.notImplemented, 'These can only be deleted one by one', { maybeProcessed: false })
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
  if (root?.name !== 'DeleteResult') throw badMessage(response, 'a body of another shape')
  const refused = new Set(root.children.filter(({ name }) => name === 'Error').flatMap(keyOf))
  const left = keys.filter((key) => refused.has(key))
  // A refusal of a key that was not asked about, or not written like that, may be any of them.
  return left.length === refused.size ? left : keys
}

/** None where there is no such object, which is what was wanted. */
function keyOf(error: XmlElement): readonly string[] {
  return childText(error, 'Code') === 'NoSuchKey' ? [] : [childText(error, 'Key') ?? '']
}
