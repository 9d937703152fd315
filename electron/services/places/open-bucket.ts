import type { BucketAddress } from '../../../shared/ipc/object-requests.ts'
import type { Place } from '../../../shared/place/place.ts'
import { causeSentence } from '../../../shared/transfer/words/wait-words.ts'
import type { WaitState } from '../../../shared/transfer/transfer.ts'
import type { WaitCause } from '../../../shared/wait-cause.ts'
import { classify, createRetryPolicy, PartsListError, type EngineDeps } from '../../engine/index.ts'
import { RequestError } from '../requests/request-error.ts'
import { faultInUse } from './describe-check.ts'
import { partsListWords } from './parts-list-words.ts'
import type { Places } from './places.ts'
import { ended } from '../../../shared/language/sentences.ts'
import { message, type Message } from '../../../shared/language/message.ts'

/** A person is looking at a sheet meanwhile. */
const RESPONSE_TIMEOUT_MS = 30_000

export interface BucketDeps {
  readonly places: Pick<Places, 'list' | 'require' | 'openStore'>
  readonly deps: Pick<EngineDeps, 'clock' | 'random' | 'fileSystem' | 'hasher' | 'checkpoints'>
}

/** Opens a bucket for requests that a person waits for. Calls `onWait` before each further try. Throws RequestError. */
export function openBucket(
  { places, deps }: Pick<BucketDeps, 'deps'> & { readonly places: Pick<Places, 'require' | 'openStore'> },
  address: BucketAddress,
  signal: AbortSignal = new AbortController().signal,
  onWait: (wait: WaitState) => void = () => undefined,
) {
  const store = places.openStore(locationOf(placeAt(places, address)))
  const waiting = (wait: WaitState | null): void => {
    if (wait !== null) onWait(wait)
  }
  const context = { store, deps, giveUpAfterMs: RESPONSE_TIMEOUT_MS, signal, report: { waiting } }
  return { ...context, retryPolicy: createRetryPolicy(context) }
}

/** Runs `work` and turns whatever it throws into a RequestError with a sentence for the person. */
export async function withRequestErrors<Value>(
  places: Pick<Places, 'require'>,
  address: BucketAddress,
  name: string,
  work: () => Promise<Value>,
): Promise<Value> {
  const place = { ...places.require(address.placeId), ...address }
  try {
    return await work()
  } catch (failure) {
    if (failure instanceof RequestError) throw failure
    if (failure instanceof PartsListError) throw new RequestError(partsListWords(failure.fault))
    const fault = place.isDemo ? null : faultInUse(place, failure)
    if (fault !== null) throw new RequestError(fault)
    const { name: placeName, bucket } = place
    const verdict = classify(failure)
    const isSilent = verdict.kind === 'wait' || (failure instanceof Error && failure.name === 'TimeoutError')
    if (isSilent) throw new RequestError(silenceWords(verdict.kind === 'wait' ? verdict.cause : null, placeName))
    const context = { name, placeName, bucket, localPath: name }
    throw new RequestError({ error: verdict.error.info, context })
  }
}

/** A sentence that a place doesn't answer, or why. */
export function silenceWords(cause: WaitCause | null, place: string): Message | string {
  const sentence = cause === null ? null : causeSentence(cause, place)
  return sentence === null ? message('services.link.silent', { place }) : ended(sentence)
}

/** The place with one of its buckets. Throws RequestError when the place is gone or no bucket is named. */
export function placeAt(places: Pick<Places, 'require'>, { placeId, bucket }: BucketAddress): Place {
  const place = places.require(placeId)
  const named = bucket ?? place.bucket
  if (named === '') throw new RequestError(message('services.place.which-bucket', { name: place.name }))
  return { ...place, bucket: named }
}

/** The place and its bucket as the engine addresses them. */
export function locationOf({ id, bucket }: Place) {
  return { kind: 'place', placeId: id, bucket } as const
}
