import { createHash } from 'node:crypto'
import { startScript, type ScriptedResponse, type ScriptedServer, type TakenRequest } from './scripted-server.ts'

export interface S3ObjectOptions {
  /** Sizes of the parts that the object was uploaded in. */
  readonly sizes: readonly number[]
  /** Left out: the MD5 of the parts' MD5s. */
  readonly etag?: string
  /** Headers of every answer, for example those that give a provider away. */
  readonly headers?: Readonly<Record<string, string>>
  /** Headers of HEAD where it asks for checksums. */
  readonly checksums?: Readonly<Record<string, string>>
  /** What HEAD with a part number is answered; left out: with the part. */
  readonly respondToPart?: (partNumber: number, whole: ScriptedResponse) => ScriptedResponse
  /** Takes GetObjectAttributes. */
  readonly listsParts?: boolean
  /** Bytes that come instead of the object's. */
  readonly damage?: (bytes: Buffer, start: number) => Buffer
}

/** One object of a service that speaks S3, as Amazon answers for it. */
export async function startS3Object(bytes: Buffer, options: S3ObjectOptions): Promise<ScriptedServer> {
  const { sizes, checksums = {}, respondToPart, damage = (some) => some } = options
  const always = {
    etag: `"${options.etag ?? etagOfParts(bytes, sizes)}"`,
    'last-modified': 'Wed, 01 Jan 2025 00:00:00 GMT',
    'accept-ranges': 'bytes',
    ...options.headers,
  }
  const respond = ({ method, url, headers }: TakenRequest): ScriptedResponse => {
    const query = new URL(url, 'http://any').searchParams
    if (query.has('attributes')) return listPage(sizes, always, headers, options.listsParts === true)
    const asked = headers['x-amz-checksum-mode'] === 'ENABLED' ? checksums : {}
    const whole = { status: 200, headers: { ...always, 'content-length': bytes.length, ...asked } }
    const partNumber = Number(query.get('partNumber') ?? 0)
    if (method === 'HEAD' && partNumber > 0)
      return respondToPart?.(partNumber, whole) ?? partOf(sizes, partNumber, always)
    if (method === 'HEAD') return whole
    const [, start = '0', last = ''] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '') ?? []
    const from = Number(start)
    const some = bytes.subarray(from, Math.min(bytes.length, Number(last || bytes.length) + 1))
    const contentRange = `bytes ${from}-${from + some.length - 1}/${bytes.length}`
    return { status: 206, headers: { ...always, 'content-range': contentRange }, body: damage(Buffer.from(some), from) }
  }
  return startScript([respond])
}

function partOf(sizes: readonly number[], partNumber: number, always: Readonly<Record<string, string>>) {
  const parts = { 'content-length': sizes[partNumber - 1] ?? 0, 'x-amz-mp-parts-count': sizes.length }
  return { status: 206, headers: { ...always, ...parts } }
}

function listPage(
  sizes: readonly number[],
  always: Readonly<Record<string, string>>,
  headers: TakenRequest['headers'],
  isThere: boolean,
): ScriptedResponse {
  if (!isThere) return { status: 403, body: '<Error><Code>AccessDenied</Code></Error>' }
  const after = Number(headers['x-amz-part-number-marker'] ?? 0)
  const most = Number(headers['x-amz-max-parts'])
  const page = sizes.slice(after, after + most)
  const end = after + page.length
  const parts = page.map(
    (size, index) => `<Part><PartNumber>${after + index + 1}</PartNumber><Size>${size}</Size></Part>`,
  )
  const next = `<NextPartNumberMarker>${end}</NextPartNumberMarker><IsTruncated>${end < sizes.length}</IsTruncated>`
  const list = `<ObjectParts><PartsCount>${sizes.length}</PartsCount>${next}${parts.join('')}</ObjectParts>`
  const etag = `<ETag>${always['etag']?.replaceAll('"', '') ?? ''}</ETag>`
  return { status: 200, body: `<GetObjectAttributesResponse>${etag}${list}</GetObjectAttributesResponse>` }
}

/** Digests of the parts, by an algorithm of Node's. */
export function partDigests(bytes: Buffer, sizes: readonly number[], algorithm: string): readonly Buffer[] {
  let end = 0
  return sizes.map((size) =>
    createHash(algorithm)
      .update(bytes.subarray(end, (end += size)))
      .digest(),
  )
}

function etagOfParts(bytes: Buffer, sizes: readonly number[]): string {
  const digest = createHash('md5')
  for (const md5 of partDigests(bytes, sizes, 'md5')) digest.update(md5)
  return `${digest.digest('hex')}-${sizes.length}`
}
