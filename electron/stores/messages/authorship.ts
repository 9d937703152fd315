// Tells the responses of a service from those of something in front of it.

import type { HttpResponse } from '../http/exchange.ts'
import { leave, requestIdOf } from './error-responses.ts'
import { badMessage, isPage } from './web-page.ts'

type Response = HttpResponse & { readonly operation: string; readonly isInDoubt?: boolean }

/** What the responses of a service have in common, as far as they have shown it. */
export interface Authorship {
  /** The service gives request ids, if not with every operation. */
  readonly givesIds: boolean
  /**
   * Returns a response that says that something is done or there. Leaves it and throws a StoreError if something else
   * than the service may have written it: earlier ones of the operation had a request id, this one has none, and
   * nothing else shows where it comes from. A network that wants a sign-in first answers in the place of the service.
   * Whether members are the service's is for their reader to judge: a response with them is returned as in doubt.
   */
  own<Given extends Response>(response: Given): Promise<Given>
}

/** A sign-in takes a person longer, milliseconds. */
const MIXED_MS = 5000
/** So many times within `MIXED_MS`, a response in doubt stood between two with ids: only some nodes give them. */
const MIXED_TIMES = 3

/** Knows nothing of the service yet. `nowMs` is monotonic, milliseconds. */
export function createAuthorship(nowMs: () => number = () => performance.now()): Authorship {
  /** When each operation was last answered with an id. */
  const namedAtMs = new Map<string, number>()
  /** Operations of which a response came into doubt since. */
  const doubted = new Set<string>()
  let mixedTimes = 0

  function named(operation: string): void {
    const agoMs = nowMs() - (namedAtMs.get(operation) ?? -Infinity)
    if (doubted.delete(operation) && agoMs < MIXED_MS && mixedTimes < MIXED_TIMES) mixedTimes += 1
    namedAtMs.set(operation, nowMs())
  }

  return {
    get givesIds() {
      return namedAtMs.size > 0
    },
    async own(response) {
      if (response.status >= 300) return response
      const { operation } = response
      const isNamed = requestIdOf(response) !== null
      if (isNamed) named(operation)
      if (isNamed || !namedAtMs.has(operation) || mixedTimes === MIXED_TIMES || isOfService(response)) return response
      doubted.add(operation)
      if (hasMembers(response)) return { ...response, isInDoubt: true }
      await leave(response)
      throw badMessage({ ...response, isInDoubt: true }, 'no request id, unlike the service’s own answers')
    },
  }
}

/** The ETag of an object or part of S3: an MD5, or that of the MD5s of its parts. Servers of pages make up others. */
const OBJECT_ETAG = /^"?[\da-f]{32}(?:-\d{1,5})?"?$/i
const DATA_TYPE = /^(?:application|text)\/(?:[\w.-]+\+)?(?:xml|json)\b/i
/** Operations that are answered with members. */
const ANSWERED_WITH_MEMBERS = /^(?:List|CreateMultipartUpload$|CompleteMultipartUpload$|DeleteObjects$|.*Copy|Copy)/

function hasMembers({ operation, headers }: Response): boolean {
  return ANSWERED_WITH_MEMBERS.test(operation) && DATA_TYPE.test(headers.get('content-type') ?? '')
}

/**
 * Whether a response is one that no network makes up: a part of an object, a mere “done”, or something with the ETag of
 * an object. Some nodes of a service, or a proxy before them, may drop request ids, and would be waited for forever.
 */
function isOfService(response: Response): boolean {
  const { status, headers } = response
  const isPartial = status === 206 && headers.get('content-range') !== undefined
  return !isPage(response) && (isPartial || status === 204 || OBJECT_ETAG.test(headers.get('etag') ?? ''))
}
