import type { ListedBucket } from '../../../shared/place/place.ts'
import { badAnswer, readMessage } from '../messages/error-answers.ts'
import type { StoreConnection } from '../port/store-connection.ts'
import { createS3Transport, type S3Transport } from './transport.ts'
import { parseXml, type XmlElement } from './xml.ts'

/** A name and a date for each of 10,000 buckets, which is what Amazon gives without pages, fits. */
const MAX_ANSWER_BYTES = 8 * 1024 * 1024

/** ListBuckets: the buckets of the connection's key, whatever bucket it names. Safe to repeat. Throws StoreError. */
export async function listBuckets(connection: StoreConnection, signal: AbortSignal): Promise<readonly ListedBucket[]> {
  const transport = createS3Transport({ ...connection, bucket: '' })
  try {
    return await listBucketsBy(transport, signal)
  } finally {
    await transport.close()
  }
}

/** The same by a transport of no bucket. */
export async function listBucketsBy(transport: S3Transport, signal: AbortSignal): Promise<readonly ListedBucket[]> {
  const request = { operation: 'ListBuckets', method: 'GET', key: null, accepts: [200], signal } as const
  const response = await transport.send(request)
  const root = parseXml((await readMessage(response, MAX_ANSWER_BYTES)).trimStart())
  if (root?.name !== 'ListAllMyBucketsResult') throw badAnswer(response, 'a body of another shape')
  const buckets = childrenOf(root, 'Buckets').flatMap((list) => childrenOf(list, 'Bucket'))
  return buckets.flatMap((bucket) => {
    const [name] = childrenOf(bucket, 'Name')
    const [created] = childrenOf(bucket, 'CreationDate')
    return name === undefined || name.text === '' ? [] : [{ name: name.text, createdAt: created?.text ?? null }]
  })
}

function childrenOf({ children }: XmlElement, name: string): readonly XmlElement[] {
  return children.filter((child) => child.name === name)
}
