import { MAX_CLOCK_SKEW_MS } from '../../../shared/limits.ts'
import {
  CHECK_STEPS,
  type CheckRemedy,
  type CheckStepName,
  type PlaceCheck,
} from '../../../shared/place/place-check.ts'
import type { NewPlace, StoreDialect } from '../../../shared/place/place.ts'
import { EXPIRED_CODES, REGION_CODES } from '../../../shared/service-codes.ts'
import { originOf } from '../../stores/index.ts'
import { STORE_ERROR, StoreError } from '../../stores/port/store-error.ts'
import { message, type Message } from '../../../shared/language/message.ts'
import { visibleText } from '../../../shared/visible-text.ts'
import { nearestName } from '../../../shared/nearest-name.ts'

/** The place that was checked. */
export type CheckedPlace = Pick<
  NewPlace,
  'endpoint' | 'bucket' | 'folder' | 'dialect' | 'pathStyle' | 'signature' | 'region' | 'profile'
>

/** The results of the check. */
export interface CheckFacts {
  /** What ended the check; null: everything worked. */
  readonly failure: unknown
  /** Whether the service answered at all; if so, the failure is that of a signed request. */
  readonly isReached: boolean
  /** How far the service's clock is ahead of ours; null: it did not say. */
  readonly clockOffsetMs: number | null
  /** The kind of service, if an answer showed it. */
  readonly speaks: StoreDialect | null
  /** The region that the service named in place of the one given. */
  readonly region: string | null
  /** Null: the place names a bucket, so that the check listed that. */
  readonly buckets: readonly string[] | null
  /** If the bucket doesn't exist, the ones that do; null: it exists, or the key can't list them. */
  readonly otherBuckets: readonly string[] | null
  /** The endpoint with the other scheme, if the host answered there. */
  readonly otherEndpoint: string | null
  /** Whether the host's name resolves without the bucket in front of it. */
  readonly isHostKnown: boolean
}

interface Fault {
  readonly step: CheckStepName
  readonly words: Message
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
const UNKNOWN_ISSUER =
  /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_.*|CERT_UNTRUSTED|INVALID_CA)$/
const OUT_OF_DATE: ReadonlySet<string> = new Set(['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID'])

/** Codes of failures in which no answer came. */
const WAY_CODES: ReadonlySet<string> = new Set([STORE_ERROR.network, STORE_ERROR.tls, STORE_ERROR.noTls])

/** The steps of a check; the failed one says in plain words what is wrong and what to do. Pure. */
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

/**
 * What a failed everyday request shows to be wrong with a place or the way to it, in the words of the check; null when
 * it only shows that no answer came, or concerns what was asked for. Pure.
 */
export function faultInUse(place: CheckedPlace, failure: unknown): Message | null {
  if (!(failure instanceof StoreError)) return null
  const fault = proxyFault(place, failure) ?? wayFault(place, false, failure) ?? clockFault(null, failure)
  return (fault ?? keyInUseFault(place, failure))?.words ?? serviceInUseWords(place, failure)
}

/** Leaves out a denial, which a valid key may meet, and a missing secret, which another sentence reports. */
function keyInUseFault(place: CheckedPlace, failure: StoreError): Fault | null {
  const { code, httpStatus } = failure
  const isLacking = code === 'InvalidAccessKeyId' && httpStatus === null && place.profile === ''
  return code === 'AccessDenied' || isLacking ? null : keyFault(place, failure)
}

/** Leaves out faults that only a listing shows. */
function serviceInUseWords(place: CheckedPlace, { code, httpStatus }: StoreError): Message | null {
  const isOfPlace = code === 'NoSuchBucket' || code === STORE_ERROR.redirect || code === STORE_ERROR.networkSignIn
  if (!isOfPlace && !isBusy(httpStatus)) return null
  return listWords(place, code, httpStatus) ?? strangerWords(place, code)
}

/** Node's or our own code for what broke a connection; empty when nothing did. */
export function faultCode({ cause }: StoreError): string {
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : ''
}

/** A note on a step that passed, if there is something worth saying. */
function noteOf(step: CheckStepName, place: CheckedPlace, facts: CheckFacts): Message | null {
  const { clockOffsetMs, region, buckets } = facts
  switch (step) {
    case 'clock':
      return clockOffsetMs !== null && Math.abs(clockOffsetMs) > MAX_CLOCK_SKEW_MS
        ? message('services.check.clock-allowed', { offset: offsetWords(clockOffsetMs) })
        : null
    case 'signature':
      if (place.signature === 'none') return message('services.check.anonymous')
      return region === null ? null : message('services.check.region', { region })
    case 'list':
      return buckets === null ? null : message('services.check.buckets', { count: buckets.length })
    default:
      return null
  }
}

function faultOf(place: CheckedPlace, facts: CheckFacts): Fault {
  const { failure, isReached } = facts
  if (!(failure instanceof StoreError)) return { step: 'list', words: message('services.check.our-fault') }
  return (
    schemeFault(place, facts) ??
    proxyFault(place, failure) ??
    (isReached ? kindFault(place, facts) : reachFault(place, facts, failure)) ??
    clockFault(facts.clockOffsetMs, failure) ??
    keyFault(place, failure) ??
    listFault(place, facts, failure)
  )
}

function schemeFault({ endpoint }: CheckedPlace, { otherEndpoint }: CheckFacts): Fault | null {
  if (otherEndpoint === null) return null
  const changes = { endpoint: otherEndpoint }
  return otherEndpoint.startsWith('https:')
    ? {
        step: 'connection',
        words: message('services.check.wants-https'),
        remedy: { kind: 'change', label: message('services.check.use-https'), changes },
      }
    : {
        step: 'connection',
        words: message('services.check.only-http', { host: hostOf(endpoint) }),
        remedy: { kind: 'change', label: message('services.check.use-http'), changes },
      }
}

function proxyFault({ endpoint }: CheckedPlace, { code, httpStatus }: StoreError): Fault | null {
  const host = hostOf(endpoint)
  const words = (): Message | null => {
    switch (code) {
      case STORE_ERROR.proxySignIn:
        return message('services.check.proxy-sign-in')
      case STORE_ERROR.proxyKeyringLocked:
        return message('transfer.error.keyring-locked-proxy')
      case STORE_ERROR.proxyUnsupported:
        return message(httpStatus === 407 ? 'services.check.proxy-kind-of-sign-in' : 'services.check.proxy-unsupported')
      case STORE_ERROR.proxyRefused:
        return message('services.check.proxy-refused', { host })
      case STORE_ERROR.proxy:
        return message('services.check.proxy-silent', { host })
      default:
        return null
    }
  }
  const found = words()
  return found === null ? null : { step: 'connection', words: found }
}

/** If the service is of another kind, that is the fault: why it refused doesn't matter. */
function kindFault({ dialect }: CheckedPlace, { speaks }: CheckFacts): Fault | null {
  if (speaks === null || speaks === dialect) return null
  const words = message(speaks === 's3' ? 'services.check.speaks-s3' : 'services.check.speaks-storage')
  return { step: 'connection', words }
}

function reachFault(place: CheckedPlace, { isHostKnown }: CheckFacts, failure: StoreError): Fault {
  // No request was sent: the endpoint alone is a valid address, but with the bucket in front it isn't.
  if (failure.code === 'InvalidArgument') {
    return {
      step: 'name',
      words: message('services.check.bucket-in-host', { bucket: place.bucket }),
      remedy: bucketInPath(),
    }
  }
  const silent = () => message('services.check.no-answer', { host: hostOf(originOf(place)) })
  return wayFault(place, isHostKnown, failure) ?? { step: 'connection', words: silent() }
}

const bucketInPath = (): CheckRemedy => ({
  kind: 'change',
  label: message('services.check.bucket-in-path'),
  changes: { pathStyle: true },
})

/** What kept a connection from being made; null when the failure doesn't tell. */
function wayFault(place: CheckedPlace, isHostKnown: boolean, failure: StoreError): Fault | null {
  if (!WAY_CODES.has(failure.code)) return null
  const host = hostOf(originOf(place))
  const isInFront = host !== hostOf(place.endpoint)
  const code = faultCode(failure)
  const look: CheckRemedy = {
    kind: 'certificate',
    label: message('services.check.show-certificate'),
    origin: originOf(place),
  }
  if (NO_NAME.has(code)) {
    if (isHostKnown) {
      const words = message('services.check.host-needs-path', { host, known: hostOf(place.endpoint) })
      return { step: 'name', words, remedy: bucketInPath() }
    }
    const words = message(code === 'ENOTFOUND' ? 'services.check.host-misspelled' : 'services.check.host-offline', {
      host,
    })
    return { step: 'name', words }
  }
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    const words = message('services.check.other-host', { host })
    return { step: 'connection', words, remedy: isInFront ? bucketInPath() : look }
  }
  const words = connectionWords(host, portOf(place.endpoint), code, failure)
  if (words === null) return null
  const isDoubted = UNKNOWN_ISSUER.test(code) || OUT_OF_DATE.has(code)
  return { step: 'connection', words, ...(isDoubted ? { remedy: look } : {}) }
}

function connectionWords(
  host: string,
  port: string,
  code: string,
  { code: kind, trouble }: StoreError,
): Message | null {
  if (UNKNOWN_ISSUER.test(code)) {
    return message('services.check.issuer', { host })
  }
  if (code === 'CERT_HAS_EXPIRED') return message('services.check.expired', { host })
  if (code === 'CERT_NOT_YET_VALID') return message('services.check.not-yet', { host })
  if (kind === STORE_ERROR.tls || kind === STORE_ERROR.noTls) return message('services.check.no-tls', { host })
  if (code === 'ECONNREFUSED') return message('services.check.refused', { host, port })
  if (trouble?.code === 'kept-out') {
    return message('services.check.kept-out', { host, cause: message('transfer.cause.kept-out') })
  }
  if (UNREACHABLE.has(code)) return message('services.check.unreachable', { host, port })
  return null
}

function clockFault(clockOffsetMs: CheckFacts['clockOffsetMs'], { code }: StoreError): Fault | null {
  if (code !== 'RequestTimeTooSkewed') return null
  const offset = clockOffsetMs === null ? message('services.check.clock-wrong') : offsetWords(clockOffsetMs)
  return { step: 'clock', words: message('services.check.clock-refused', { offset }) }
}

function keyFault(place: CheckedPlace, { code, httpStatus, message: detail }: StoreError): Fault | null {
  const words = (): Message | null => {
    if (code === STORE_ERROR.keysAwaited) return message('services.check.profile-awaited', { profile: place.profile })
    if (code === 'InvalidAccessKeyId' && httpStatus === null) {
      if (place.profile === '') return message('services.check.no-secret')
      const isSignIn = /\bsso\b|\blogin\b/i.test(detail)
      const { profile } = place
      return message(isSignIn ? 'services.check.profile-sign-in' : 'services.check.profile-empty', { profile })
    }
    if (code === 'InvalidAccessKeyId') return message('services.check.unknown-key')
    if (code === 'SignatureDoesNotMatch') {
      const isSure = place.dialect === 's3'
      return message(isSure ? 'services.check.wrong-secret' : 'services.check.wrong-secret-or-signature')
    }
    if (EXPIRED_CODES.has(code)) return message('services.check.keys-expired')
    if (REGION_CODES.has(code)) return message('services.check.other-region', { region: place.region || 'us-east-1' })
    if (httpStatus === 401) return message('services.check.key-refused')
    // The storage dialect has no other code for an unknown key.
    const isOfStorage = place.dialect === 'storage' && place.signature !== 'none'
    if (isOfStorage && code === 'AccessDenied') return message('services.check.unknown-key-or-denied')
    return null
  }
  const found = words()
  return found === null ? null : { step: 'signature', words: found }
}

function listFault(place: CheckedPlace, { otherBuckets }: CheckFacts, { code, httpStatus }: StoreError): Fault {
  const words = listWords(place, code, httpStatus)
  // Then nobody has looked at the key.
  if (words === null) return { step: 'connection', words: strangerWords(place, code) }
  return { step: 'list', words, ...(code === 'NoSuchBucket' ? { remedy: otherBucket(place, otherBuckets ?? []) } : {}) }
}

/** What helps if the bucket doesn't exist: the one that was meant, if that is plain, or all there are to choose from. */
function otherBucket({ bucket: typed }: CheckedPlace, buckets: readonly string[]): CheckRemedy {
  const bucket = buckets.length === 1 ? buckets[0] : nearestName(typed, buckets)
  if (bucket != null) {
    const label = message('services.check.use-bucket', { bucket: visibleText(bucket) })
    return { kind: 'change', label, changes: { bucket } }
  }
  if (buckets.length > 0) {
    return { kind: 'change', label: message('services.check.use-all-buckets'), changes: { bucket: '' } }
  }
  return { kind: 'bucket', label: message('services.check.edit-bucket') }
}

/** What keeps the service from listing; null if what answers isn't the service. */
function listWords(
  { endpoint, bucket, folder, dialect, signature }: CheckedPlace,
  code: string,
  status: number | null,
): Message | null {
  if (code === 'NoSuchBucket') return message('services.check.no-bucket', { bucket })
  if (code === 'InvalidBucketName') return message('services.check.bucket-name', { bucket })
  if (status === 403) {
    if (bucket === '') return message('services.check.may-not-list-buckets')
    if (signature === 'none') return message('services.check.needs-key', { bucket })
    if (folder !== undefined) return message('services.check.may-not-list-folder', { folder, bucket })
    return message('services.check.may-not-list', { bucket })
  }
  if (code === STORE_ERROR.redirect || code === STORE_ERROR.networkSignIn) return null
  if (isBusy(status)) {
    return message('services.check.busy', { status: String(status) })
  }
  if (code === STORE_ERROR.network) return message('services.check.connection-lost', { host: hostOf(endpoint) })
  if (code === STORE_ERROR.notImplemented && bucket === '') {
    return message('services.check.no-list-of-buckets')
  }
  if (code === STORE_ERROR.notImplemented && dialect === 'storage') {
    return message('services.check.no-lists')
  }
  return null
}

function strangerWords({ endpoint, dialect }: CheckedPlace, code: string): Message {
  const host = hostOf(endpoint)
  if (code === STORE_ERROR.redirect) return message('services.check.redirect', { host })
  if (code === STORE_ERROR.networkSignIn) return message('services.check.web-page', { host })
  return message(dialect === 's3' ? 'services.check.no-s3' : 'services.check.no-storage', { host })
}

function isBusy(status: number | null): boolean {
  return status === 429 || (status !== null && status >= 500 && status !== 501)
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

/** How far our clock is off, such as "1 hour behind", in the largest unit that the offset fills. */
function offsetWords(offsetMs: number): Message {
  const minutes = Math.max(1, Math.round(Math.abs(offsetMs) / 60_000))
  const [unit, size] = UNITS.find(([, each]) => minutes >= each) ?? ['minute', 1]
  const count = Math.round(minutes / size)
  return message(`services.check.clock.${offsetMs > 0 ? 'behind' : 'ahead'}.${unit}`, { count })
}
