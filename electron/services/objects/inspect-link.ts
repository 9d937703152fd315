import type { LinkFacts, LinkTarget } from '../../../shared/ipc/link-requests.ts'
import { classify, isOfNetwork, safeFileName, type StoreLocation } from '../../engine/index.ts'
import type { ObjectStore } from '../../stores/port/object-store.ts'
import { STORE_ERROR, StoreError } from '../../stores/port/store-error.ts'
import { wantedLink } from '../places/wanted-link.ts'
import { silenceWords } from '../places/open-bucket.ts'
import type { Places } from '../places/places.ts'
import { message, type Message } from '../../../shared/language/message.ts'
import { t } from '../../../shared/language/translate.ts'
import { isUnreachableCause, type WaitCause } from '../../../shared/wait-cause.ts'

const RESPONSE_TIMEOUT_MS = 15_000

/** Asks the server what a link leads to. Writes nothing. */
export async function inspectLink(
  places: Pick<Places, 'openStore' | 'locateLink' | 'list'>,
  target: LinkTarget,
): Promise<LinkFacts> {
  const subject = subjectOf(places, target)
  const { location, name } = subject
  let origin = location.kind === 'link' ? new URL(location.url).origin : ''
  try {
    const store = places.openStore(location)
    origin = new URL(store.host).origin
    const answer = await ask(store, subject, AbortSignal.timeout(RESPONSE_TIMEOUT_MS))
    return { ...NOTHING_WRONG, name, host: hostOf(origin, subject), ...answer }
  } catch (failure) {
    const isUntrusted = failure instanceof StoreError && failure.code === STORE_ERROR.tls
    const untrustedOrigin = isUntrusted && origin.startsWith('https:') ? origin : null
    const host = hostOf(origin, subject)
    return { name, host, sizeBytes: null, canContinue: null, ...problemOf(failure, subject), untrustedOrigin }
  }
}

/** Requests a link's first byte: it may be signed for GET alone, and the answer shows whether ranges work. */
async function ask(
  store: ObjectStore,
  { location, key }: Subject,
  signal: AbortSignal,
): Promise<Pick<LinkFacts, 'sizeBytes' | 'canContinue'>> {
  if (location.kind === 'place') {
    const { sizeBytes, acceptsRanges = null } = await store.headObject({ key, signal })
    return { sizeBytes, canContinue: acceptsRanges }
  }
  const result = await store.getObject({ key, range: { start: 0, end: 1 }, signal })
  if (result.kind === 'range-not-satisfiable') return { sizeBytes: result.totalBytes ?? 0, canContinue: null }
  if (result.kind === 'not-modified') return { sizeBytes: null, canContinue: null }
  await result.body[Symbol.asyncIterator]().return?.()
  return { sizeBytes: result.head.sizeBytes, canContinue: result.status === 206 }
}

const NOTHING_WRONG = { problem: null, mayPass: true, untrustedOrigin: null }

function hostOf(origin: string, { placeName }: Subject): string {
  return origin === '' ? placeName : new URL(origin).host
}

/** Why the object can't be downloaded now, and whether that may pass. */
function problemOf(failure: unknown, { location, name, placeName }: Subject): Pick<LinkFacts, 'problem' | 'mayPass'> {
  const verdict = classify(failure)
  const isLate = failure instanceof Error && failure.name === 'TimeoutError'
  if (isLate || isOfNetwork(verdict)) {
    const cause = verdict.kind === 'wait' ? verdict.cause : null
    return { problem: unreachableWords(cause, placeName) ?? silenceWords(cause, placeName), mayPass: true }
  }
  if (verdict.kind === 'wait') {
    return {
      problem:
        verdict.reason === 'proxy'
          ? message('services.link.no-proxy')
          : message('services.link.busy', { place: placeName }),
      mayPass: true,
    }
  }
  const { info } = verdict.error
  const bucket = location.kind === 'place' ? location.bucket : ''
  const isLink = location.kind === 'link'
  return { problem: { error: info, context: { name, placeName, bucket, localPath: '', isLink } }, mayPass: false }
}

/** Why the server can’t be reached, worded as in the row of a download; null when it can. */
function unreachableWords(cause: WaitCause | null, name: string): Message | null {
  if (cause === null || !isUnreachableCause(cause)) return null
  return message('transfer.error.gave-up-unreachable', { name, cause: message(`transfer.cause.${cause.code}`) })
}

interface Subject {
  readonly location: StoreLocation
  readonly key: string
  readonly name: string
  readonly placeName: string
}

function subjectOf(places: Pick<Places, 'locateLink' | 'list'>, target: LinkTarget): Subject {
  if (target.kind === 'link') {
    const { location, name } = wantedLink(places.locateLink(target.url))
    return { location, key: '', name, placeName: new URL(target.url).host }
  }
  const { placeId, bucket, key } = target
  const place = places.list().find(({ id }) => id === placeId)
  const name = safeFileName(key.slice(key.lastIndexOf('/') + 1))
  return {
    location: { kind: 'place', placeId, bucket },
    key,
    name,
    placeName: place?.name ?? t('services.link.the-place'),
  }
}
