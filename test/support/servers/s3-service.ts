import { createHash, randomUUID } from 'node:crypto'
import * as http from 'node:http'
import { KEPT_MS, listenUntilTestEnds } from './scripted-server.ts'

/** A bucket of a service that speaks S3, in memory. It checks no signature. */
export interface S3Service {
  readonly endpoint: string
  /** Forgets all objects whose key begins so. */
  clear(prefix: string): void
  /** Unfinished uploads, as keys. */
  readonly openUploads: readonly string[]
  /** How often a body was refused because its Content-MD5 was of others. */
  readonly refusedBodies: number
}

interface StoredObject {
  readonly bytes: Buffer
  readonly etag: string
  readonly metadata: http.IncomingHttpHeaders
  /** Sizes of the parts it was uploaded in; null: in one request. */
  readonly partSizes: readonly number[] | null
}

interface OpenUpload {
  readonly key: string
  readonly metadata: http.IncomingHttpHeaders
  readonly parts: Map<number, Buffer>
}

interface Request {
  readonly method: string
  readonly key: string
  readonly query: URLSearchParams
  readonly headers: http.IncomingHttpHeaders
  readonly body: Buffer
}

interface Response {
  readonly status: number
  readonly headers?: http.OutgoingHttpHeaders
  readonly body?: string | Buffer
}

/**
 * Starts it; ends with the test. It gives itself out as MinIO, whose ETags are MD5s as Amazon's. Every other body is compared with its Content-MD5, as some services
 * do: what is wrong with the rest only its ETag shows.
 */
export async function startS3Service(bucket: string): Promise<S3Service> {
  const objects = new Map<string, StoredObject>()
  const uploads = new Map<string, OpenUpload>()
  let bodies = 0
  let refusedBodies = 0

  function isRefused({ headers, body }: Request): boolean {
    const md5 = headers['content-md5']
    bodies += 1
    const isWrong = bodies % 2 === 0 && md5 !== undefined && md5 !== createHash('md5').update(body).digest('base64')
    if (isWrong) refusedBodies += 1
    return isWrong
  }

  function put(request: Request): Response {
    const { key, query, headers, body } = request
    const upload = uploads.get(query.get('uploadId') ?? '')
    if (query.has('uploadId') && upload === undefined) return refusal(404, 'NoSuchUpload')
    if (headers['x-amz-copy-source'] !== undefined) return copy(request, upload)
    if (isRefused(request)) return refusal(400, 'BadDigest')
    if (upload === undefined) {
      objects.set(key, { bytes: body, etag: md5Of(body), metadata: metadataOf(headers), partSizes: null })
    } else upload.parts.set(Number(query.get('partNumber')), body)
    return { status: 200, headers: { etag: `"${md5Of(body)}"` } }
  }

  /** CopyObject, or UploadPartCopy into `upload`. The storage class is not copied, as on Amazon. */
  function copy({ key, query, headers }: Request, upload: OpenUpload | undefined): Response {
    const [, source = ''] = /^[^/]+\/(.*)$/s.exec(String(headers['x-amz-copy-source'])) ?? []
    const original = objects.get(decodeURIComponent(source))
    if (original === undefined) return refusal(404, 'NoSuchKey')
    const wanted = headers['x-amz-copy-source-if-match']
    if (wanted !== undefined && wanted !== `"${original.etag}"`) return refusal(412, 'PreconditionFailed')
    const [, first = '0', last = ''] = /^bytes=(\d+)-(\d+)$/.exec(String(headers['x-amz-copy-source-range'])) ?? []
    const bytes = original.bytes.subarray(Number(first), last === '' ? undefined : Number(last) + 1)
    const etag = `<ETag>"${md5Of(bytes)}"</ETag>`
    if (upload !== undefined) {
      upload.parts.set(Number(query.get('partNumber')), bytes)
      return xml('CopyPartResult', etag)
    }
    const { 'x-amz-storage-class': _class, ...metadata } = original.metadata
    const given = headers['x-amz-storage-class'] === undefined ? {} : metadataOf(headers)
    objects.set(key, { bytes, etag: md5Of(bytes), metadata: { ...metadata, ...given }, partSizes: null })
    return xml('CopyObjectResult', etag)
  }

  function complete({ query, body }: Request): Response {
    const uploadId = query.get('uploadId') ?? ''
    const upload = uploads.get(uploadId)
    if (upload === undefined) return refusal(404, 'NoSuchUpload')
    const named = [...body.toString().matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>"([^"]*)"/g)]
    const parts = named.map(([, number]) => upload.parts.get(Number(number)) ?? Buffer.alloc(0))
    if (named.some(([, , etag], index) => md5Of(parts[index] ?? Buffer.alloc(0)) !== etag))
      return refusal(400, 'InvalidPart')
    const etag = `${md5Of(Buffer.concat(parts.map((part) => createHash('md5').update(part).digest())))}-${parts.length}`
    const partSizes = parts.map(({ length }) => length)
    objects.set(upload.key, { bytes: Buffer.concat(parts), etag, metadata: upload.metadata, partSizes })
    uploads.delete(uploadId)
    return xml('CompleteMultipartUploadResult', `<ETag>"${etag}"</ETag>`)
  }

  function post(request: Request): Response {
    if (!request.query.has('uploads')) return complete(request)
    const uploadId = randomUUID()
    uploads.set(uploadId, { key: request.key, metadata: metadataOf(request.headers), parts: new Map() })
    return xml('InitiateMultipartUploadResult', `<UploadId>${uploadId}</UploadId>`)
  }

  function list({ query }: Request): Response {
    const prefix = query.get('prefix') ?? ''
    if (query.has('uploads')) {
      const open = [...uploads].filter(([, { key }]) => key.startsWith(prefix))
      const entries = open.map(([id, { key }]) => `<Upload><Key>${key}</Key><UploadId>${id}</UploadId></Upload>`)
      return xml('ListMultipartUploadsResult', `<IsTruncated>false</IsTruncated>${entries.join('')}`)
    }
    const after = query.get('marker') ?? ''
    const most = Number(query.get('max-keys') ?? 1000)
    const delimiter = query.get('delimiter') ?? ''
    const nameOf = (key: string) => {
      const end = delimiter === '' ? -1 : key.indexOf(delimiter, prefix.length)
      return end === -1 ? key : key.slice(0, end + 1)
    }
    const keys = [...objects.keys()].filter((key) => key.startsWith(prefix))
    const names = [...new Set(keys.map(nameOf))].filter((name) => name > after).sort((a, b) => (a < b ? -1 : 1))
    const entries = names.slice(0, most).map((name) => {
      const object = objects.get(name)
      if (object === undefined || (delimiter !== '' && name.endsWith(delimiter) && name !== prefix))
        return `<CommonPrefixes><Prefix>${encodeURIComponent(name)}</Prefix></CommonPrefixes>`
      return (
        `<Contents><Key>${encodeURIComponent(name)}</Key><LastModified>${MODIFIED.toISOString()}</LastModified>` +
        `<ETag>"${object.etag}"</ETag><Size>${object.bytes.length}</Size></Contents>`
      )
    })
    return xml(
      'ListBucketResult',
      `<IsTruncated>${names.length > most}</IsTruncated><EncodingType>url</EncodingType>${entries.join('')}`,
    )
  }

  function get(request: Request): Response {
    const { key, query, headers } = request
    if (key === '') return list(request)
    const uploadId = query.get('uploadId')
    if (uploadId !== null) return listParts(uploads.get(uploadId))
    const object = objects.get(key)
    return object === undefined ? refusal(404, 'NoSuchKey') : contentOf(object, headers.range, query.get('partNumber'))
  }

  function remove({ key, query }: Request): Response {
    const uploadId = query.get('uploadId')
    if (uploadId === null) objects.delete(key)
    else if (!uploads.delete(uploadId)) return refusal(404, 'NoSuchUpload')
    return { status: 204 }
  }

  const verbs: Readonly<Record<string, (request: Request) => Response>> = {
    PUT: put,
    POST: post,
    GET: get,
    HEAD: get,
    DELETE: remove,
  }
  const endpoint = await listenUntilTestEnds(createServer(bucket, (request) => verbs[request.method]?.(request)))
  return {
    endpoint,
    clear: (prefix) =>
      [...objects.keys()].filter((key) => key.startsWith(prefix)).forEach((key) => objects.delete(key)),
    get openUploads() {
      return [...uploads.values()].map(({ key }) => key)
    },
    get refusedBodies() {
      return refusedBodies
    },
  }
}

const MODIFIED = new Date(Date.UTC(2025, 0, 1))

function createServer(bucket: string, respond: (request: Request) => Response | undefined): http.Server {
  return http.createServer({ keepAliveTimeout: KEPT_MS }, (request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (bytes: Buffer) => pieces.push(bytes))
    request.on('error', () => undefined)
    request.on('end', () => {
      const { method = '', url = '', headers } = request
      const { pathname, searchParams } = new URL(url, 'http://any')
      const key = decodeURIComponent(pathname.slice(bucket.length + 2))
      const asked = { method, key, query: searchParams, headers, body: Buffer.concat(pieces) }
      const { status, headers: sent = {}, body = '' } = respond(asked) ?? refusal(501, 'NotImplemented')
      response.writeHead(status, { server: 'MinIO', 'content-length': Buffer.byteLength(body), ...sent })
      response.end(method === 'HEAD' ? '' : body)
    })
  })
}

function listParts(upload: OpenUpload | undefined): Response {
  if (upload === undefined) return refusal(404, 'NoSuchUpload')
  const parts = [...upload.parts].sort(([one], [other]) => one - other)
  const entries = parts.map(
    ([number, bytes]) =>
      `<Part><PartNumber>${number}</PartNumber><ETag>"${md5Of(bytes)}"</ETag><Size>${bytes.length}</Size></Part>`,
  )
  return xml('ListPartsResult', `<IsTruncated>false</IsTruncated>${entries.join('')}`)
}

function contentOf({ bytes, etag, metadata, partSizes }: StoredObject, range = '', part: string | null): Response {
  const always = { etag: `"${etag}"`, 'last-modified': MODIFIED.toUTCString(), 'accept-ranges': 'bytes', ...metadata }
  if (part !== null) {
    const length = (partSizes ?? [bytes.length])[Number(part) - 1]
    if (length === undefined) return refusal(416, 'InvalidPartNumber')
    const count = partSizes === null ? {} : { 'x-amz-mp-parts-count': partSizes.length }
    return { status: 206, headers: { ...always, ...count, 'content-length': length } }
  }
  const [, first = '', last = ''] = /^bytes=(\d+)-(\d*)$/.exec(range) ?? []
  if (first === '') return { status: 200, headers: always, body: bytes }
  const [start, end] = [Number(first), Math.min(bytes.length, last === '' ? Infinity : Number(last) + 1)]
  if (start >= bytes.length) return refusal(416, 'InvalidRange')
  const contentRange = `bytes ${start}-${end - 1}/${bytes.length}`
  return { status: 206, headers: { ...always, 'content-range': contentRange }, body: bytes.subarray(start, end) }
}

function metadataOf(headers: http.IncomingHttpHeaders): http.IncomingHttpHeaders {
  const kept = new Set(['content-type', 'cache-control', 'x-amz-storage-class'])
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => name.startsWith('x-amz-meta-') || kept.has(name)),
  )
}

function xml(root: string, content: string): Response {
  return { status: 200, body: `<?xml version="1.0"?><${root}>${content}</${root}>` }
}

function refusal(status: number, code: string): Response {
  return { status, body: `<Error><Code>${code}</Code><Message>${code}</Message></Error>` }
}

function md5Of(bytes: Uint8Array): string {
  return createHash('md5').update(bytes).digest('hex')
}
