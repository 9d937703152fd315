import { lookup } from 'node:dns/promises'
import type { Place } from '../../../shared/place/place.ts'
import type { PlaceCheck } from '../../../shared/place/place-check.ts'
import { describeCheck, faultCode, type CheckFacts } from './describe-check.ts'
import { awaitSign, originOf, tryListing, type StoreConnection } from '../../stores/index.ts'
import { STORE_ERROR, StoreError } from '../../stores/port/store-error.ts'

/** Time limit for all steps together, milliseconds. */
const RESPONSE_TIMEOUT_MS = 20_000
/** Time limit for a second address, tried to find out what is wrong, milliseconds. */
const CLUE_MS = 5_000

/** Tries a place step by step and reports how far it works. Writes nothing to it. */
export async function checkPlace(
  connection: StoreConnection,
  { profile, folder }: Pick<Place, 'profile' | 'folder'>,
): Promise<PlaceCheck> {
  return describeCheck(
    { ...connection, profile, ...(folder === undefined ? {} : { folder }) },
    await findFacts(connection, folder, AbortSignal.timeout(RESPONSE_TIMEOUT_MS)),
  )
}

const NO_CLUES = { otherEndpoint: null, isHostKnown: false, otherBuckets: null }
const NOTHING_LISTED = { region: null, buckets: null }

async function findFacts(
  connection: StoreConnection,
  folder: string | undefined,
  signal: AbortSignal,
): Promise<CheckFacts> {
  const now = connection.now ?? Date.now
  const sign = await awaitSignOf(connection, signal)
  if (sign instanceof StoreError) {
    const clues = await cluesOf(connection, sign)
    return { ...NOTHING_LISTED, ...clues, failure: sign, isReached: false, clockOffsetMs: null, speaks: null }
  }
  const clockOffsetMs = sign.serverTimeMs === null ? null : sign.serverTimeMs - now()
  const trial = await tryListing(connection, signal, folder)
  const clues = trial.failure instanceof StoreError ? await cluesOf(connection, trial.failure) : NO_CLUES
  return { ...trial, ...clues, isReached: true, clockOffsetMs, speaks: sign.speaks }
}

async function awaitSignOf(connection: StoreConnection, signal: AbortSignal) {
  try {
    return await awaitSign(originOf(connection), connection.network, signal)
  } catch (failure) {
    if (failure instanceof StoreError) return failure
    return new StoreError(STORE_ERROR.network, 'The server did not answer in time', { cause: failure })
  }
}

/** Finds out what the failure itself doesn't tell: whether a slightly different address or another bucket works. */
async function cluesOf(connection: StoreConnection, failure: StoreError) {
  const { endpoint, bucket, pathStyle, network } = connection
  const code = faultCode(failure)
  if (failure.code === 'NoSuchBucket') {
    const { buckets } = await tryListing({ ...connection, bucket: '' }, AbortSignal.timeout(CLUE_MS))
    return { ...NO_CLUES, otherBuckets: buckets }
  }
  if (code === 'ENOTFOUND') {
    const { hostname } = new URL(endpoint)
    return { ...NO_CLUES, isHostKnown: !pathStyle && bucket !== '' && (await isKnown(hostname)) }
  }
  const other = isOfScheme(failure) ? withOtherScheme(endpoint) : null
  return { ...NO_CLUES, otherEndpoint: other !== null && (await answers(other, network)) ? other : null }
}

/** Whether a wrong scheme may have caused the failure. An untrusted certificate is no reason to suggest plain HTTP. */
function isOfScheme({ code }: StoreError): boolean {
  const vague: readonly string[] = [
    STORE_ERROR.network,
    STORE_ERROR.badAnswer,
    STORE_ERROR.unnamed,
    STORE_ERROR.redirect,
    STORE_ERROR.noTls,
  ]
  return vague.includes(code)
}

function withOtherScheme(endpoint: string): string {
  const url = new URL(endpoint)
  url.protocol = url.protocol === 'https:' ? 'http:' : 'https:'
  return url.origin
}

async function answers(origin: string, network: StoreConnection['network']): Promise<boolean> {
  try {
    await awaitSign(origin, network, AbortSignal.timeout(CLUE_MS))
    return true
  } catch (failure) {
    // Even an untrusted certificate shows that the server speaks TLS.
    return failure instanceof StoreError && failure.code === STORE_ERROR.tls
  }
}

async function isKnown(hostname: string): Promise<boolean> {
  return lookup(hostname).then(
    () => true,
    () => false,
  )
}
