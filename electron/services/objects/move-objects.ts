import { message, type Message } from '../../../shared/language/message.ts'
import { MAX_MOVED_KEYS, type BucketAddress, type MovedObjects } from '../../../shared/ipc/object-requests.ts'
import { MAX_KEY_BYTES } from '../../../shared/limits.ts'
import type { Refusal } from '../../../shared/transfer/words/error-words.ts'
import { visibleText } from '../../../shared/visible-text.ts'
import { forEachLimit, isFolderMarker, MoveError, moveObject, withRetry } from '../../engine/index.ts'
import { openBucket, withRequestErrors, type BucketDeps } from '../places/open-bucket.ts'
import type { Places } from '../places/places.ts'
import { RequestError } from '../requests/request-error.ts'
import type { Tickets } from '../requests/tickets.ts'
import type { ObjectServices } from './object-services.ts'

const MOVES_AT_A_TIME = 8

interface MovingDeps extends Pick<BucketDeps, 'deps'> {
  readonly places: Pick<Places, 'require' | 'openStore'>
  readonly tickets: Tickets
}

/** Some objects of a bucket to move. */
interface Batch {
  readonly address: BucketAddress
  readonly keys: readonly string[]
  readonly newKeyOf: (key: string) => string
  readonly isRetry: boolean
}

/** Moves objects within their bucket, some at a time. What is not moved for sure stays where it is. */
export function createMoving(around: MovingDeps): Pick<ObjectServices, 'move' | 'movePage'> {
  const { places, deps, tickets } = around

  /** Begins no further move after the first failure. */
  async function moveEach({ address, keys, newKeyOf, isRetry }: Batch, given: AbortSignal) {
    const { store, retryPolicy } = openBucket(around, address, given)
    const left = new Set(keys)
    let failure: Refusal | null = tooLong(keys, newKeyOf)
    await forEachLimit(keys, MOVES_AT_A_TIME, async (key) => {
      if (failure !== null || given.aborted) return
      try {
        await withRequestErrors(places, address, key, () =>
          moveObject({ store, deps, retryPolicy, given }, { from: key, to: newKeyOf(key), isRetry }).catch(
            (error: unknown) => {
              throw error instanceof MoveError ? new RequestError(moveWords(error, key, placeName(address))) : error
            },
          ),
        )
        left.delete(key)
      } catch (refusal) {
        if (!(refusal instanceof RequestError)) throw refusal
        if (refusal !== given.reason) failure ??= refusal.refusal
      }
    })
    return { left: [...left], failure }
  }

  const placeName = ({ placeId }: BucketAddress): string => places.require(placeId).name

  return {
    move: ({ keys, from, to, isRetry, ticket, ...address }) =>
      tickets.during(ticket, async (given): Promise<MovedObjects> => {
        const newKeyOf = (key: string) => to + key.slice(from.length)
        const { left, failure } = await moveEach({ address, keys, newKeyOf, isRetry }, given)
        return { moved: keys.length - left.length, left, failure, nextMarker: null }
      }),
    movePage: ({ prefix, to, marker, isRetry, ticket, ...address }) =>
      tickets.during(ticket, async (given): Promise<MovedObjects> => {
        const { store, retryPolicy } = openBucket(around, address, given)
        const list = (from: string, maxKeys: number, after: { readonly marker?: string } = {}) =>
          withRequestErrors(places, address, from, () =>
            withRetry(retryPolicy, () => store.listObjects({ prefix: from, maxKeys, signal: given, ...after })),
          )
        if (marker === null && !isRetry && (await list(to, 1)).objects.length > 0)
          throw new RequestError(message('services.object.folder-exists'))
        const page = await list(prefix, MAX_MOVED_KEYS, marker === null ? {} : { marker })
        const keys = page.objects.map(({ key }) => key)
        const newKeyOf = (key: string) => to + key.slice(prefix.length)
        const { left, failure } = await moveEach({ address, keys, newKeyOf, isRetry }, given)
        const stayed = new Set(left)
        const gone = page.objects.filter(({ key }) => !stayed.has(key))
        // The count is of what was announced: files, not objects that only stand for a folder.
        const moved = gone.filter((object) => !isFolderMarker(object)).length
        return { moved, left, failure, nextMarker: page.nextMarker }
      }),
  }
}

function tooLong(keys: readonly string[], newKeyOf: (key: string) => string): Refusal | null {
  const key = keys.find((each) => Buffer.byteLength(newKeyOf(each)) > MAX_KEY_BYTES)
  if (key === undefined) return null
  return message('services.object.moved-too-long', { name: visibleText(key), most: MAX_KEY_BYTES })
}

function moveWords({ fault, key }: MoveError, original: string, place: string): Message {
  const facts = { name: visibleText(original), copy: visibleText(key) }
  return fault === 'lacking'
    ? message('services.object.cant-move', { place })
    : message(`services.object.moved-${fault}`, facts)
}
