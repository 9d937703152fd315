import { MAX_CLOCK_SKEW_MS } from '../../../shared/limits.ts'
import {
  CHECK_STEPS,
  type CheckRemedy,
  type CheckStepName,
  type PlaceCheck,
} from '../../../shared/place/place-check.ts'
import type { NewPlace, StoreDialect } from '../../../shared/place/place.ts'
import { causeWords } from '../../../shared/transfer/wait-words.ts'
import { originOf } from '../../stores/index.ts'
import { STORE_ERROR, StoreError } from '../../stores/port/store-error.ts'

/** What was tried. */
export type CheckedPlace = Pick<
  NewPlace,
  'endpoint' | 'bucket' | 'dialect' | 'pathStyle' | 'signature' | 'region' | 'profile'
>

/** What came of it. */
export interface CheckFacts {
  /** What ended the check; null: everything worked. */
  readonly failure: unknown
  /** The service answered something; the failure is of what was signed. */
  readonly isReached: boolean
  /** How far the service's clock is ahead of ours; null: it did not tell. */
  readonly clockOffsetMs: number | null
  /** What kind of service it is, where an answer showed it. */
  readonly speaks: StoreDialect | null
  /** The region that the service named in place of the one given. */
  readonly region: string | null
  /** Null: they were not asked for. */
  readonly bucketCount: number | null
  /** The same host answered at this endpoint, which has the other scheme. */
  readonly otherEndpoint: string | null
  /** The host is known without the bucket in front of it. */
  readonly isHostKnown: boolean
}

interface Fault {
  readonly step: CheckStepName
  readonly words: string
  readonly remedy?: CheckRemedy
}

const NO_NAME: ReadonlySet<string> = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL', 'EAI_NODATA', 'EAI_NONAME'])
const UNREACHABLE: ReadonlySet<string> = new Set([
  'CONNECT_TIMEOUT',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EHOSTDOWN',
])
const EXPIRED: ReadonlySet<string> = new Set(['ExpiredToken', 'TokenRefreshRequired', 'InvalidToken'])
const ELSEWHERE: ReadonlySet<string> = new Set(['AuthorizationHeaderMalformed', 'InvalidRegion'])
const UNKNOWN_ISSUER =
  /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_.*|CERT_UNTRUSTED|INVALID_CA)$/
const OUT_OF_DATE: ReadonlySet<string> = new Set(['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID'])

/** The steps of a check, the failing one in plain words with what to do. Pure. */
export function describeCheck(place: CheckedPlace, facts: CheckFacts): PlaceCheck {
  const fault = facts.failure === null ? null : faultOf(place, facts)
  const failedAt = fault === null ? CHECK_STEPS.length : CHECK_STEPS.indexOf(fault.step)
  const steps = CHECK_STEPS.map((name, index) => {
    if (index < failedAt) return { name, state: 'passed', words: noteOf(name, place, facts) } as const
    if (index > failedAt) return { name, state: 'open', words: null } as const
    return { name, state: 'failed', words: fault?.words ?? null } as const
  })
  return { steps, region: facts.region, remedy: fault?.remedy ?? null }
}

/** Node's or our own name for what broke a connection; empty where nothing broke. */
export function faultCode({ cause }: StoreError): string {
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : ''
}

/** What is worth saying about a step that passed. */
function noteOf(step: CheckStepName, place: CheckedPlace, facts: CheckFacts): string | null {
  const { clockOffsetMs, region, bucketCount } = facts
  switch (step) {
    case 'clock':
      return clockOffsetMs !== null && Math.abs(clockOffsetMs) > MAX_CLOCK_SKEW_MS
        ? `This computer’s clock is ${offsetWords(clockOffsetMs)}. Sluice allows for that.`
        : null
    case 'signature':
      if (place.signature === 'none') return 'Anonymous, nothing is signed.'
      return region === null ? null : `The region is ${region}.`
    case 'list':
      if (bucketCount === null) return null
      return bucketCount === 0
        ? 'This key has no buckets yet.'
        : bucketCount === 1
          ? '1 bucket'
          : `${bucketCount} buckets`
    default:
      return null
  }
}

function faultOf(place: CheckedPlace, facts: CheckFacts): Fault {
  const { failure, isReached } = facts
  if (!(failure instanceof StoreError)) return { step: 'list', words: 'Something went wrong in the app.' }
  return (
    schemeFault(place, facts) ??
    proxyFault(place, failure) ??
    (isReached ? kindFault(place, facts) : reachFault(place, facts, failure)) ??
    clockFault(facts, failure) ??
    keyFault(place, failure) ??
    listFault(place, failure)
  )
}

function schemeFault({ endpoint }: CheckedPlace, { otherEndpoint }: CheckFacts): Fault | null {
  if (otherEndpoint === null) return null
  const changes = { endpoint: otherEndpoint }
  return otherEndpoint.startsWith('https:')
    ? {
        step: 'connection',
        words: 'This address wants https, not http.',
        remedy: { kind: 'change', label: 'Use https', changes },
      }
    : {
        step: 'connection',
        words: `${hostOf(endpoint)} answers without encryption only: what you send could be read on the way.`,
        remedy: { kind: 'change', label: 'Use http', changes },
      }
}

function proxyFault({ endpoint }: CheckedPlace, { code, httpStatus }: StoreError): Fault | null {
  const words: Readonly<Record<string, string>> = {
    [STORE_ERROR.proxySignIn]: 'The proxy on the way wants a name and password, or others than it was given.',
    [STORE_ERROR.proxyUnsupported]:
      httpStatus === 407
        ? 'The proxy on the way requires a kind of sign-in that Sluice doesn’t support, such as NTLM. Set another in Settings.'
        : 'The system’s proxy is of a kind Sluice can’t use, such as SOCKS. Set an HTTP proxy in Settings.',
    [STORE_ERROR.proxyRefused]: `The proxy on the way allows no connections to ${hostOf(endpoint)}.`,
    [STORE_ERROR.proxy]: `The proxy on the way doesn’t answer, or doesn’t reach ${hostOf(endpoint)}.`,
  }
  const found = words[code]
  return found === undefined ? null : { step: 'connection', words: found }
}

/** Another kind of service refuses for reasons that don't matter. */
function kindFault({ dialect }: CheckedPlace, { speaks }: CheckFacts): Fault | null {
  if (speaks === null || speaks === dialect) return null
  const words =
    speaks === 's3'
      ? 'This service speaks S3. Choose its provider, or “Other S3 service”.'
      : 'This service doesn’t speak S3. Choose “Object Storage Service”.'
  return { step: 'connection', words }
}

function reachFault(place: CheckedPlace, { isHostKnown }: CheckFacts, failure: StoreError): Fault {
  if (failure.code === 'InvalidArgument') return { step: 'name', words: `${failure.message}.` }
  const host = hostOf(originOf(place))
  const isInFront = host !== hostOf(place.endpoint)
  const code = faultCode(failure)
  const remedy: CheckRemedy = { kind: 'change', label: 'Put the bucket in the path', changes: { pathStyle: true } }
  const look: CheckRemedy = { kind: 'certificate', label: 'Show certificate…', origin: originOf(place) }
  if (NO_NAME.has(code)) {
    if (isHostKnown) {
      const words = `Can’t find ${host}, only ${hostOf(place.endpoint)}: here the bucket goes in the path.`
      return { step: 'name', words, remedy }
    }
    const words = code === 'ENOTFOUND' ? 'Check its spelling.' : 'Is this computer online?'
    return { step: 'name', words: `Can’t find ${host}. ${words}` }
  }
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    const words = `The certificate there is not for ${host}.`
    return { step: 'connection', words, remedy: isInFront ? remedy : look }
  }
  const words = connectionWords(host, portOf(place.endpoint), code, failure)
  const isDoubted = UNKNOWN_ISSUER.test(code) || OUT_OF_DATE.has(code)
  return { step: 'connection', words, ...(isDoubted ? { remedy: look } : {}) }
}

function connectionWords(host: string, port: string, code: string, { code: kind, trouble }: StoreError): string {
  if (UNKNOWN_ISSUER.test(code)) {
    return `This computer doesn’t trust the certificate of ${host}: its issuer isn’t trusted.`
  }
  if (code === 'CERT_HAS_EXPIRED') return `The certificate of ${host} has expired, or this computer’s clock is wrong.`
  if (code === 'CERT_NOT_YET_VALID')
    return `The certificate of ${host} is not valid yet. Is this computer’s clock right?`
  if (kind === STORE_ERROR.tls || kind === STORE_ERROR.noTls) return `No secure connection to ${host} could be made.`
  if (code === 'ECONNREFUSED')
    return `Nothing answers at ${host} on port ${port}. Check the port. Is the service running?`
  if (trouble?.code === 'kept-out') {
    return `${host} can’t be reached: ${causeWords({ ...trouble, httpStatus: null })}.`
  }
  if (UNREACHABLE.has(code)) return `${host} can’t be reached on port ${port}. A firewall may be in the way.`
  return `${host} took the connection but gave no proper answer. Check the address and the port.`
}

function clockFault({ clockOffsetMs }: CheckFacts, { code }: StoreError): Fault | null {
  if (code !== 'RequestTimeTooSkewed') return null
  const how = clockOffsetMs === null ? 'wrong' : offsetWords(clockOffsetMs)
  return { step: 'clock', words: `This computer’s clock is ${how}, so the service refuses requests. Correct it.` }
}

function keyFault(place: CheckedPlace, { code, httpStatus, message }: StoreError): Fault | null {
  const words = (): string | null => {
    if (code === 'InvalidAccessKeyId' && httpStatus === null) {
      if (place.profile === '') return 'The secret key isn’t on this computer any more. Enter it again.'
      const isSignIn = /\bsso\b|\blogin\b/i.test(message)
      const how = isSignIn ? `Run “aws sso login --profile ${place.profile}” and try again.` : 'Check it in ~/.aws.'
      return `The profile ${place.profile} gives no keys. ${how}`
    }
    if (code === 'InvalidAccessKeyId') return 'The service doesn’t know this access key ID.'
    if (code === 'SignatureDoesNotMatch') {
      return place.dialect === 's3'
        ? 'The secret key doesn’t belong to this access key ID.'
        : 'The secret key doesn’t belong to this access key ID, or the service signs in another way (see Advanced).'
    }
    if (EXPIRED.has(code)) return 'These keys have expired. Get new ones, with their session token.'
    if (ELSEWHERE.has(code)) return `The service expects a different region than “${place.region || 'us-east-1'}”.`
    if (httpStatus === 401) return 'The service didn’t accept the key.'
    // The dialect has no other code for a key that is unknown.
    const isOfStorage = place.dialect === 'storage' && place.signature !== 'none'
    if (isOfStorage && code === 'AccessDenied')
      return 'The service doesn’t know this access key ID, or denies it the bucket.'
    return null
  }
  const found = words()
  return found === null ? null : { step: 'signature', words: found }
}

function listFault(place: CheckedPlace, { code, httpStatus }: StoreError): Fault {
  return { step: 'list', words: listWords(place, code, httpStatus) }
}

function listWords(
  { endpoint, bucket, dialect, signature }: CheckedPlace,
  code: string,
  status: number | null,
): string {
  const host = hostOf(endpoint)
  if (code === 'NoSuchBucket') return `There is no bucket named “${bucket}”.`
  if (code === 'InvalidBucketName') return `“${bucket}” can’t be the name of a bucket.`
  if (status === 403) {
    if (bucket === '') return 'This key isn’t allowed to list buckets. Enter the name of a bucket.'
    if (signature === 'none') return `Bucket “${bucket}” can’t be listed without a key.`
    return `This key isn’t allowed to list bucket “${bucket}”. If it can upload or download, save the place as it is.`
  }
  if (code === STORE_ERROR.redirect) return `${host} sends requests on to another address. Enter that one.`
  if (code === STORE_ERROR.networkSignIn) {
    return `A web page answers at ${host}. Check the address, and in a browser whether this network wants you to sign in.`
  }
  if (status === 429 || (status !== null && status >= 500 && status !== 501)) {
    return `The service is busy or not working (${status}). Try again later.`
  }
  if (code === STORE_ERROR.network) return `The connection to ${host} was lost. Try again.`
  if (code === STORE_ERROR.notImplemented && bucket === '') {
    return 'This service doesn’t list its buckets. Enter the name of a bucket.'
  }
  if (code === STORE_ERROR.notImplemented && dialect === 'storage') {
    return 'This service doesn’t list anything. Files whose names you know can still be uploaded and downloaded: save the place as it is.'
  }
  const kind = dialect === 's3' ? 'no S3 service' : 'no storage service of this kind'
  return `What responds at ${host} is ${kind}. Check the address and the kind of service.`
}

function hostOf(endpoint: string): string {
  return URL.canParse(endpoint) ? new URL(endpoint).hostname : endpoint
}

function portOf(endpoint: string): string {
  if (!URL.canParse(endpoint)) return ''
  const { port, protocol } = new URL(endpoint)
  return port === '' ? (protocol === 'https:' ? '443' : '80') : port
}

const UNITS = [
  ['day', 24 * 60],
  ['hour', 60],
  ['minute', 1],
] as const

/** "1 hour behind", of our clock, in the largest unit that it fills. */
function offsetWords(offsetMs: number): string {
  const minutes = Math.max(1, Math.round(Math.abs(offsetMs) / 60_000))
  const [unit, size] = UNITS.find(([, each]) => minutes >= each) ?? ['minute', 1]
  const count = Math.round(minutes / size)
  return `${count} ${unit}${count === 1 ? '' : 's'} ${offsetMs > 0 ? 'behind' : 'ahead'}`
}
