// Copies that the service makes itself: CopyObject and UploadPartCopy.

import { COMPLETE_TIMEOUT_BASE_MS } from '../../../shared/limits.ts'
import { encodeSegments, percentEncode } from '../messages/address.ts'
import { errorOfText, readMessage, requestIdOf } from '../messages/error-responses.ts'
import { formatCondition, formatRange, unquoteEtag } from '../messages/header-values.ts'
import type { StoreRequest } from '../messages/store-request.ts'
import { createMultipartUpload } from '../messages/verbs.ts'
import { badMessage, takeForDone } from '../messages/web-page.ts'
import { childText, escapeXml, parseXml, type XmlElement } from '../messages/xml.ts'
import type { CopyObjectResult, CopyVerbs } from '../port/object-store.ts'
import type { StoreConnection } from '../port/store-connection.ts'
import { keyless } from './multipart.ts'
import { hasTags, traitsOfCopy, traitsOfUpload } from './object-headers.ts'
import type { S3Transport } from './transport.ts'
import { xmlRequest } from './xml-bodies.ts'

type Connection = Pick<StoreConnection, 'bucket' | 'now'>
type CopyRequest = Pick<StoreRequest, 'query' | 'signal'> & { readonly key: string; readonly sourceKey: string }

/** The copies within one bucket. Each answers when the bytes are copied, or with an error under status 200. */
export function copyVerbs(transport: S3Transport, connection: Connection): CopyVerbs {
  const { provider } = transport

  /** Sends a PUT that names an original instead of carrying a body. */
  async function send(
    operation: 'CopyObject' | 'UploadPartCopy',
    { sourceKey, ...request }: CopyRequest,
    sourceEtag: string | null,
    headers: StoreRequest['headers'],
  ): Promise<CopyObjectResult> {
    const response = await transport.send({
      ...{ ...request, operation, method: 'PUT', accepts: [200] },
      headers: {
        'x-amz-copy-source': `${percentEncode(connection.bucket)}/${encodeSegments(sourceKey)}`,
        [provider.facts.copyIfMatchHeader]: formatCondition(sourceEtag ?? undefined),
        ...headers,
      },
      headersTimeoutMs: COMPLETE_TIMEOUT_BASE_MS,
      idleTimeoutMs: COMPLETE_TIMEOUT_BASE_MS,
    })
    const text = await readMessage(response)
    const error = errorOfText(response, text, operation, (connection.now ?? Date.now)())
    if (error !== null) throw error
    const root = parseXml(text.trim())
    // Services also write CopyPartResult as CopyObjectResult.
    if (root?.name !== 'CopyObjectResult' && root?.name !== 'CopyPartResult')
      throw badMessage(response, 'a body that does not state the outcome')
    const etag = unquoteEtag(childText(root, 'ETag') ?? undefined)
    if (etag === null && operation === 'UploadPartCopy') throw badMessage(response, 'no ETag')
    return { etag, requestId: requestIdOf(response) }
  }

  return {
    copyObject({ sourceEtag, ifAbsent, traits, ...request }) {
      const { copy } = provider.facts.ifAbsent
      const condition = ifAbsent && copy !== undefined ? { [copy]: '*' } : {}
      return send('CopyObject', request, sourceEtag, { ...traitsOfCopy(traits), ...condition })
    },

    createMultipartUpload({ traits, key, signal }) {
      const parse = keyless('InitiateMultipartUploadResult')
      return createMultipartUpload(transport, { key, signal }, parse, traitsOfUpload(traits))
    },

    async uploadPart({ range, sourceEtag, partNumber, uploadId, key, sourceKey, signal }) {
      const query = [
        ['partNumber', String(partNumber)],
        ['uploadId', uploadId],
      ] as const
      const headers = { 'x-amz-copy-source-range': formatRange(range) }
      const { etag, requestId } = await send('UploadPartCopy', { key, sourceKey, query, signal }, sourceEtag, headers)
      return { etag: etag ?? '', requestId }
    },

    async copyTags({ sourceKey, traits, key, signal }) {
      if (!hasTags(traits)) return
      const request = xmlRequest('Tagging', tagSet(await tagsOf(transport, sourceKey, signal)))
      const query = [['tagging', '']] as const
      const put = { operation: 'PutObjectTagging', method: 'PUT', key, query, accepts: [200, 204], signal } as const
      await takeForDone(await transport.send({ ...put, ...request }))
    },
  }
}

/** GetObjectTagging. */
async function tagsOf(transport: S3Transport, key: string, signal: AbortSignal): Promise<readonly XmlElement[]> {
  const query = [['tagging', '']] as const
  const get = { operation: 'GetObjectTagging', method: 'GET', key, query, accepts: [200], signal } as const
  const response = await transport.send(get)
  const root = parseXml((await readMessage(response)).trim())
  const set = root?.name === 'Tagging' ? root.children.find(({ name }) => name === 'TagSet') : undefined
  if (set === undefined) throw badMessage(response, 'an unexpected body')
  return set.children
}

function tagSet(tags: readonly XmlElement[]): string {
  const textOf = (tag: XmlElement, name: string) => escapeXml(childText(tag, name) ?? '')
  const each = tags.map((tag) => `<Tag><Key>${textOf(tag, 'Key')}</Key><Value>${textOf(tag, 'Value')}</Value></Tag>`)
  return `<TagSet>${each.join('')}</TagSet>`
}
