import { message, type Message } from '../../../shared/language/message.ts'
import { MAX_MOVED_KEYS, type MoveObjectsRequest } from '../../../shared/ipc/object-requests.ts'
import { MAX_KEY_BYTES } from '../../../shared/limits.ts'
import type { Refusal } from '../../../shared/transfer/words/error-words.ts'
import { visibleText } from '../../../shared/visible-text.ts'
import { MoveError, moveObject } from '../../engine/index.ts'
import { RequestError } from '../requests/request-error.ts'
import {
  forEachKey,
  inBucket,
  listPage,
  outcomeOfKeys,
  outcomeOfPage,
  type BulkBucket,
  type BulkDeps,
  type Remainder,
} from './bulk-requests.ts'
import type { ObjectServices } from './object-services.ts'

/** Moves objects within their bucket, some at a time. What is not moved for sure stays where it is. */
export function createMoving(around: BulkDeps): Pick<ObjectServices, 'move' | 'movePage'> {
  const { deps } = around

  async function moveEach(
    bucket: BulkBucket,
    { keys, from, to, isRetry }: Pick<MoveObjectsRequest, 'keys' | 'from' | 'to' | 'isRetry'>,
  ): Promise<Remainder> {
    const newKeyOf = (key: string) => to + key.slice(from.length)
    const failure = tooLong(keys, newKeyOf)
    if (failure !== null) return { left: keys, failure }
    return forEachKey(bucket, keys, (key) =>
      bucket.explain(key, () =>
        moveObject({ ...bucket, deps }, { from: key, to: newKeyOf(key), isRetry }).catch((error: unknown) => {
          throw error instanceof MoveError ? new RequestError(moveWords(error, key, bucket.placeName)) : error
        }),
      ),
    )
  }

  return {
    move: ({ keys, from, to, isRetry, ...request }) =>
      inBucket(around, request, async (bucket) =>
        outcomeOfKeys(keys, await moveEach(bucket, { keys, from, to, isRetry })),
      ),
    movePage: ({ prefix, to, marker, isRetry, ...request }) =>
      inBucket(around, request, async (bucket) => {
        const isFirst = marker === null && !isRetry
        if (isFirst && (await listPage(bucket, { prefix: to, marker }, 1)).objects.length > 0)
          throw new RequestError(message('services.object.folder-exists'))
        const page = await listPage(bucket, { prefix, marker }, MAX_MOVED_KEYS)
        const keys = page.objects.map(({ key }) => key)
        return outcomeOfPage(page, await moveEach(bucket, { keys, from: prefix, to, isRetry }))
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
