import { createHash } from 'node:crypto'
import { describeError } from '../shared/error-words.ts'
import type { BucketAddress, ListObjectsPage, ListObjectsRequest } from '../shared/object-requests.ts'
import { classify, objectAt } from './engine/index.ts'
import type { ObjectServices } from './ipc/object-handlers.ts'
import { RequestError } from './ipc/request-error.ts'
import { patienceAt, type PatientDeps } from './patience-at.ts'
import { locationOf, placeAt } from './place-at.ts'
import type { Places } from './places.ts'
import { readableMetadata } from './readable-metadata.ts'
import { createRemoval } from './remove-objects.ts'
import { linkTo, listBuckets } from './stores/index.ts'
import type { ObjectStore } from './stores/object-store.ts'

const PAGE_SIZE = 1000
const PATIENCE_MS = 30_000

export interface ObjectsDeps {
  readonly places: Pick<Places, 'require' | 'openStore' | 'connectionOf'>
  readonly deps: PatientDeps['deps']
}

/** The buckets and objects of places, as the window looks at them. */
export function createObjects({ places, deps }: ObjectsDeps): ObjectServices {
  const inBucket = <Value>(
    address: BucketAddress,
    name: string,
    ask: (store: ObjectStore, signal: AbortSignal) => Promise<Value>,
  ) =>
    told(places, address, name, (signal) => {
      return ask(places.openStore(locationOf(placeAt(places, address))), signal)
    })

  const page = (request: ListObjectsRequest, grouping: { readonly delimiter?: string }): Promise<ListObjectsPage> =>
    inBucket(request, request.prefix, async (store, signal) => {
      const { prefix, marker } = request
      const after = marker === null ? {} : { marker }
      const answer = await store.listObjects({ prefix, maxKeys: PAGE_SIZE, signal, ...grouping, ...after })
      return { prefixes: answer.prefixes, objects: answer.objects, nextMarker: answer.nextMarker }
    })

  return {
    listBuckets: ({ placeId }) =>
      told(places, { placeId }, '', (signal) => listBuckets(places.connectionOf(placeId), signal)),
    list: (request) => page(request, { delimiter: '/' }),
    measure: async (request) => {
      const { objects, nextMarker } = await page(request, {})
      // A key that ends in `/` only stands for a folder.
      const files = objects.filter(({ key }) => !key.endsWith('/'))
      const sizeBytes = files.reduce((sum, object) => sum + object.sizeBytes, 0)
      return { objects: files.length, sizeBytes, nextMarker }
    },
    facts: (request) =>
      inBucket(request, request.key, async (store, signal) => {
        const head = await store.headObject({ key: request.key, signal })
        const { sizeBytes, contentType, lastModified, etag, requestId, metadata } = head
        const readable = metadata === undefined ? null : readableMetadata(metadata)
        return { sizeBytes, contentType, lastModified, etag, requestId, metadata: readable }
      }),
    link: (request) =>
      told(places, request, request.key, () => {
        const { id, name, bucket, signature } = placeAt(places, request)
        if (signature === 'none') throw new RequestError(`${name} has no key to sign a link with.`)
        return linkTo({ ...places.connectionOf(id), bucket }, request.key, request.expiresSeconds)
      }),
    makeFolder: (request) =>
      inBucket(request, request.prefix, async (store, signal) => {
        // Something may be there that is not listed yet, and need not be empty.
        const there = await objectAt(patienceAt({ places, deps }, request, signal), request.prefix)
        if (there !== null) throw new RequestError('A folder of that name is already there.')
        await store.putObject({ key: request.prefix, body: NOTHING, contentMd5: MD5_OF_NOTHING, signal })
        return null
      }),
    ...createRemoval({ places, deps }),
  }
}

const NOTHING = { sizeBytes: 0, async *open() {} }
const MD5_OF_NOTHING = createHash('md5').digest('base64')

/** Runs `work` for as long as a person would wait; whatever it throws becomes a sentence. Throws RequestError. */
async function told<Value>(
  places: ObjectsDeps['places'],
  address: BucketAddress,
  name: string,
  work: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  const { name: placeName, bucket } = { ...places.require(address.placeId), ...address }
  try {
    return await work(AbortSignal.timeout(PATIENCE_MS))
  } catch (failure) {
    if (failure instanceof RequestError) throw failure
    const verdict = classify(failure)
    const isSilent = verdict.kind === 'wait' || (failure instanceof Error && failure.name === 'TimeoutError')
    if (isSilent) throw new RequestError(`${placeName} doesn’t answer.`)
    throw new RequestError(describeError(verdict.error.info, { name, placeName, bucket, localPath: '' }).sentence)
  }
}
