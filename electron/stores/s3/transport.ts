import { createHash } from 'node:crypto'
import { CONNECT_TIMEOUT_MS } from '../../../shared/limits.ts'
import { EXPIRED_CODES, MD5_WANTED_CODE, REGION_CODES } from '../../../shared/service-codes.ts'
import { inTime } from '../../async/in-time.ts'
import { unlessAborted } from '../../async/unless-aborted.ts'
import { invalidArgument } from '../messages/address.ts'
import { createAuthorship, type Authorship } from '../messages/authorship.ts'
import type { ConnectionPool } from '../http/connection-pool.ts'
import { createConnectionPools } from '../http/connection-pools.ts'
import { exchange, type HttpRequest, type HttpResponse } from '../http/exchange.ts'
import { errorOfRefusal, leave, readMessage } from '../messages/error-responses.ts'
import { createServerClock, type ServerClock } from '../messages/server-clock.ts'
import { presentHeaders, type StoreRequest, type Transport } from '../messages/store-request.ts'
import type { RequestBody } from '../port/object-store.ts'
import type { Credentials, StoreConnection } from '../port/store-connection.ts'
import { STORE_ERROR, StoreError } from '../port/store-error.ts'
import { keysAwaited } from './profiles/profile-credentials.ts'
import { getToKnow, type KnownProvider } from './providers.ts'
import { reroute, routeOf, type Route } from './route.ts'
import { canonicalQuery, createSigV4, EMPTY_SHA256, UNSIGNED_PAYLOAD, type SigV4 } from './signer.ts'
import { badMessage, strayRedirect } from '../messages/web-page.ts'
import { childText, parseXml } from '../messages/xml.ts'

/** The transport of S3, which learns what it needs to know of the service from its responses. */
export interface S3Transport extends Transport {
  /** Where requests go and the region they are signed for: the given region until the service names another. */
  readonly route: Route
  readonly provider: KnownProvider
  /**
   * Sends a request, and again, once each, with the service's clock, the bucket's region or fresh credentials if the
   * service demands them.
   */
  send(request: StoreRequest): Promise<HttpResponse>
}

/** The current path of requests. */
interface Path {
  readonly route: Route
  readonly pool: ConnectionPool
}

/** Throws for a status of success that the operation does not have. */
async function unexpected(response: HttpResponse & Pick<StoreRequest, 'operation'>): Promise<never> {
  await leave(response)
  throw badMessage(response, 'a status that is not expected here')
}

/** What signing needs. */
interface Sender {
  readonly provider: KnownProvider
  readonly clock: ServerClock
  readonly sigV4: SigV4
}

type Remedy = 'clock' | 'region' | 'credentials'

/** The keys are valid no more. Before a key is deleted it is replaced, and the profile may have the new one by now. */
const REPLACED_CODES: ReadonlySet<string> = new Set([...EXPIRED_CODES, 'InvalidAccessKeyId'])

/** A 405 or 501 means that the operation does not exist; these codes say so with other statuses. */
const LACKING_CODES: ReadonlySet<string> = new Set(['NotImplemented', 'MethodNotAllowed', 'UnsupportedOperation'])

/**
 * Creates the transport of one connection; without a bucket its requests are about the service. Throws InvalidArgument
 * when the endpoint or bucket forms no address.
 */
export function createS3Transport(connection: StoreConnection): S3Transport {
  const now = connection.now ?? Date.now
  const clock = createServerClock(now)
  const authorship = createAuthorship()
  // Requests sent before the region was known may still be under way.
  const pools = createConnectionPools(connection.network)
  const pathOf = (route: Route): Path => ({ route, pool: pools.of(route.origin) })
  let path = pathOf(routeOf(connection))
  const provider = getToKnow(connection.endpoint)
  const sender: Sender = { provider, clock, sigV4: createSigV4() }

  async function attempt(request: StoreRequest, tried: ReadonlySet<Remedy>): Promise<HttpResponse | Remedy> {
    const credentials = await credentialsOf(connection, request.signal)
    const taken = path
    const { operation } = request
    const response = { ...(await sendSigned(sender, taken, request, credentials)), operation }
    provider.learn(response)
    const { status } = response
    if (request.accepts.includes(status)) return await authorship.own(response)
    if (status < 300) return await unexpected(response)
    const text = await readMessage(response).catch(() => '')
    request.signal.throwIfAborted()
    const error = errorOfRefusal(response, text, request.operation, now())
    const remedy = remedyFor(request, response, error, text, taken)
    if (remedy !== null && !tried.has(remedy)) {
      const fresh = remedy === 'credentials' ? await credentialsOf(connection, request.signal, true) : null
      if (fresh === null || !isSameKey(fresh, credentials)) return remedy
    }
    throw status < 400
      ? strayRedirect(response, operation, taken.route.origin)
      : refusal(error, request, provider, authorship)
  }

  /** Returns the remedy that may help. If the response tells what to change, changes it right away. */
  function remedyFor(
    { method }: StoreRequest,
    response: HttpResponse,
    error: StoreError,
    text: string,
    taken: Path,
  ): Remedy | null {
    const { status } = response
    const isSilent = method === 'HEAD' && status === 403
    if (error.code === 'RequestTimeTooSkewed' || (isSilent && clock.isFarOff(response))) {
      return clock.learn(response) ? 'clock' : null
    }
    if (status < 400 || REGION_CODES.has(error.code) || (method === 'HEAD' && status === 400)) {
      const region = response.headers.get('x-amz-bucket-region') ?? regionIn(text)
      return path !== taken || (region !== null && goTo(reroute(taken.route, connection, region))) ? 'region' : null
    }
    return REPLACED_CODES.has(error.code) && connection.credentialSource !== undefined ? 'credentials' : null
  }

  function goTo(next: Route | null): boolean {
    if (next === null) return false
    path = pathOf(next)
    return true
  }

  return {
    provider,
    get route() {
      return path.route
    },
    async send(request) {
      const tried = new Set<Remedy>()
      for (;;) {
        const outcome = await attempt(request, tried)
        if (typeof outcome !== 'string') return outcome
        tried.add(outcome)
      }
    },
    close: pools.close,
    dropConnections: pools.destroyAll,
  }
}

function isSameKey(one: Credentials, other: Credentials | null): boolean {
  return one.accessKeyId === other?.accessKeyId && one.sessionToken === other.sessionToken
}

/**
 * Returns null when requests go unsigned. `isRefused` means that the service no longer accepted the last credentials. A
 * source may have to wait for a person, which is reported like a connection that can't be made: throws a StoreError
 * KeysAwaited when it takes too long, and `signal.reason` when aborted.
 */
export async function credentialsOf(
  { signature, credentials, credentialSource }: StoreConnection,
  signal: AbortSignal,
  isRefused = false,
): Promise<Credentials | null> {
  if (signature === 'none') return null
  if (credentialSource === undefined) return credentials
  const keys = unlessAborted(credentialSource({ isRefused }), signal)
  return inTime(keys, CONNECT_TIMEOUT_MS, () => keysAwaited('The source of the keys did not supply them in time'))
}

async function sendSigned(
  { provider, clock, sigV4 }: Sender,
  { route, pool }: Path,
  request: StoreRequest,
  credentials: Credentials | null,
): Promise<HttpResponse> {
  const { method, key, body, query = [] } = request
  if (key === '') throw invalidArgument('The key is empty')
  const path = route.path(key ?? '')
  const queryText = canonicalQuery(query)
  const target = queryText === '' ? path : `${path}?${queryText}`
  const headers = presentHeaders(request.headers)
  const payloadHash = credentials === null ? '' : await hashOf(body, isUnsigned(route, provider))
  const build = (): HttpRequest => {
    const signed = { method, path, query: queryText, headers: { ...headers, host: pool.host }, payloadHash }
    const proof =
      credentials === null ? {} : sigV4.sign(signed, { credentials, region: route.region, dateMs: clock.now() })
    // Not signed, because some services change this header on its way.
    return { ...request, target, headers: { ...headers, 'accept-encoding': 'identity', ...proof } }
  }
  return exchange(pool, build, request.signal)
}

/**
 * The body's hash may stay out of the signature: the signed Content-MD5, or the ETag, proves what arrived. Amazon
 * requires the hash over plain http. Computing it means reading and hashing the body a second time.
 */
function isUnsigned(route: Route, { facts }: KnownProvider): boolean {
  return route.origin.startsWith('https:') || !facts.signsBodiesOverHttp
}

async function hashOf(body: Uint8Array | RequestBody | undefined, isUnsigned: boolean): Promise<string> {
  if (body === undefined) return EMPTY_SHA256
  if (body instanceof Uint8Array) return createHash('sha256').update(body).digest('hex')
  if (isUnsigned) return UNSIGNED_PAYLOAD
  const hash = createHash('sha256')
  for await (const bytes of body.open()) hash.update(bytes)
  return hash.digest('hex')
}

/** The error to throw. The provider learns from it. */
function refusal(
  error: StoreError,
  request: StoreRequest,
  provider: KnownProvider,
  { givesIds }: Authorship,
): StoreError {
  const found = givesIds && isInFront(error, request) ? inFront(error) : named(error, request)
  provider.learnRefusal(found.code)
  return found
}

/** Returns the error under the most telling code. */
function named(error: StoreError, { key, method, query = [] }: StoreRequest): StoreError {
  const { code, httpStatus } = error
  // Ceph answers this for an upload that no longer exists.
  const isMissingUpload = code === 'NoSuchKey' && query.some(([name]) => name === 'uploadId')
  const isLacking = httpStatus === 405 || httpStatus === 501 || LACKING_CODES.has(code)
  // A 404 about a key without an error body, as for HEAD, can only mean that the key is missing.
  const isMissingKey = httpStatus === 404 && code === STORE_ERROR.unnamed && key !== null && isRead(method)
  // Amazon says so in words alone.
  const lacksMd5 = code === 'InvalidRequest' && /\bcontent-md5\b/i.test(error.message)
  if (!isLacking && !isMissingKey && !isMissingUpload && !lacksMd5) return error
  const { requestId, message } = error
  const facts = { httpStatus, requestId, maybeProcessed: isLacking && error.maybeProcessed, cause: error }
  if (lacksMd5) return new StoreError(MD5_WANTED_CODE, message, facts)
  const better = isLacking ? STORE_ERROR.notImplemented : isMissingUpload ? 'NoSuchUpload' : 'NoSuchKey'
  return new StoreError(better, message, facts)
}

/**
 * Whether something in front of the service refused a request about an upload, such as a gateway whose service restarts:
 * S3 always names a code (Amazon S3 API, Error responses).
 */
function isInFront({ code, httpStatus, requestId }: StoreError, { query = [] }: StoreRequest): boolean {
  const isOfUpload = query.some(([name]) => name === 'uploadId' || name === 'uploads')
  return code === STORE_ERROR.unnamed && httpStatus === 404 && requestId === null && isOfUpload
}

function inFront({ httpStatus, message, retryAfterMs, cause }: StoreError): StoreError {
  return new StoreError(STORE_ERROR.inFront, message, { httpStatus, retryAfterMs, cause })
}

function isRead(method: string): boolean {
  return method === 'GET' || method === 'HEAD'
}

/** Returns the region that an error's body names; null when it names none. */
function regionIn(text: string): string | null {
  return childText(parseXml(text.trim()), 'Region')?.trim() ?? null
}
