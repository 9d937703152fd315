import { createSigV4, EMPTY_SHA256 } from '../../../electron/stores/s3/signer.ts'
import { startScript, type ScriptedResponse, type ScriptedServer, type TakenRequest } from './scripted-server.ts'

export interface BucketsOptions {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly region: string
}

const BUCKETS = ['alpha', 'beta']

/** A service that speaks S3 as far as listings go, checks signatures and knows its region; ends with the test. */
export async function startBuckets(options: BucketsOptions): Promise<ScriptedServer> {
  return startScript([(request) => respond(request, options)])
}

function respond({ method, url, headers }: TakenRequest, options: BucketsOptions): ScriptedResponse {
  const proof = /^AWS4-HMAC-SHA256 Credential=([^/]+)\/\d+\/([^/]+)\/.*SignedHeaders=([^,]+)/.exec(
    headers.authorization ?? '',
  )
  if (proof === null) return refusal(403, 'AccessDenied')
  const [, accessKeyId, region, names = ''] = proof
  if (accessKeyId !== options.accessKeyId) return refusal(403, 'InvalidAccessKeyId')
  if (region !== options.region)
    return refusal(400, 'AuthorizationHeaderMalformed', `<Region>${options.region}</Region>`)
  const [path = '', query = ''] = url.split('?')
  const date = String(headers['x-amz-date'])
  const own = new Set(['x-amz-date', 'x-amz-content-sha256'])
  const signed = names
    .split(';')
    .filter((name) => !own.has(name))
    .map((name) => [name, String(headers[name])] as const)
  const request = { method, path, query, headers: Object.fromEntries(signed), payloadHash: EMPTY_SHA256 }
  const expected = createSigV4().sign(request, { credentials: options, region, dateMs: timeOf(date) })
  if (expected['authorization'] !== headers.authorization) return refusal(403, 'SignatureDoesNotMatch')
  if (path === '/') return { status: 200, body: buckets() }
  if (!BUCKETS.includes(path.split('/')[1] ?? '')) return refusal(404, 'NoSuchBucket')
  return { status: 200, body: '<ListBucketResult><IsTruncated>false</IsTruncated></ListBucketResult>' }
}

function refusal(status: number, code: string, more = ''): ScriptedResponse {
  return { status, body: `<Error><Code>${code}</Code>${more}</Error>` }
}

function buckets(): string {
  const list = BUCKETS.map((name) => `<Bucket><Name>${name}</Name></Bucket>`).join('')
  return `<ListAllMyBucketsResult><Buckets>${list}</Buckets></ListAllMyBucketsResult>`
}

/** `20240101T120000Z`, milliseconds since the epoch. */
function timeOf(date: string): number {
  return Date.parse(date.replace(/^(....)(..)(..T..)(..)/, '$1-$2-$3:$4:'))
}
