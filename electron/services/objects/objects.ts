import { createHash } from 'node:crypto'
import type {
  BucketAddress,
  ListObjectsPage,
  ListObjectsRequest,
  SearchObjectsRequest,
  Ticketed,
} from '../../../shared/ipc/object-requests.ts'
import { isFolderMarker, objectAt } from '../../engine/index.ts'
import type { ObjectStore } from '../../stores/port/object-store.ts'
import { RequestError } from '../requests/request-error.ts'
import { locationOf, openBucket, placeAt, withRequestErrors, type BucketDeps } from '../places/open-bucket.ts'
import type { Places } from '../places/places.ts'
import { createTickets } from '../requests/tickets.ts'
import { createBuckets } from './buckets.ts'
import { createRemoval } from './delete-objects.ts'
import { createMoving } from './move-objects.ts'
import type { ObjectServices } from './object-services.ts'
import { previewObject } from './preview-object.ts'
import { readableMetadata } from './user-metadata.ts'
import { message } from '../../../shared/language/message.ts'

const PAGE_SIZE = 1000
const RESPONSE_TIMEOUT_MS = 30_000

export interface ObjectsDeps {
  readonly places: Pick<Places, 'require' | 'openStore' | 'connectionOf'>
  readonly deps: BucketDeps['deps']
}

/** The buckets and objects of places, as the window browses them. */
export function createObjects({ places, deps }: ObjectsDeps): ObjectServices {
  const tickets = createTickets()

  /** Runs `work` for as long as a person would wait, or until the ticket is given back. */
  const ask = <Value>(
    address: BucketAddress & Ticketed,
    name: string,
    work: (signal: AbortSignal) => Promise<Value>,
  ): Promise<Value> =>
    tickets.during(address.ticket, (given) =>
      withRequestErrors(places, address, name, () =>
        work(AbortSignal.any([given, AbortSignal.timeout(RESPONSE_TIMEOUT_MS)])),
      ),
    )

  const inBucket = <Value>(
    address: BucketAddress & Ticketed,
    name: string,
    work: (store: ObjectStore, signal: AbortSignal) => Promise<Value>,
  ): Promise<Value> =>
    ask(address, name, (signal) => work(places.openStore(locationOf(placeAt(places, address))), signal))

  const page = (request: ListObjectsRequest, grouping: { readonly delimiter?: string }): Promise<ListObjectsPage> =>
    inBucket(request, request.prefix, async (store, signal) => {
      const { prefix, marker } = request
      const after = marker === null ? {} : { marker }
      const response = await store.listObjects({ prefix, maxKeys: PAGE_SIZE, signal, ...grouping, ...after })
      return { prefixes: response.prefixes, objects: response.objects, nextMarker: response.nextMarker }
    })

  return {
    ...createBuckets(places, ask),
    list: (request) => page(request, { delimiter: '/' }),
    search: async (request) => {
      const { objects, nextMarker } = await page(request, {})
      return { objects: objects.filter(({ key }) => isFound(key, request)), nextMarker }
    },
    measure: async (request) => {
      const { objects, nextMarker } = await page(request, {})
      const files = objects.filter((object) => !isFolderMarker(object))
      return { objects: files.length, sizeBytes: totalSize(files), nextMarker }
    },
    facts: (request) =>
      inBucket(request, request.key, async (store, signal) => {
        const head = await store.headObject({ key: request.key, signal })
        const { sizeBytes, contentType, lastModified, etag, requestId, metadata } = head
        const readable = metadata === undefined ? null : readableMetadata(metadata)
        return { sizeBytes, contentType, lastModified, etag, requestId, metadata: readable }
      }),
    preview: (request) => inBucket(request, request.key, (store, signal) => previewObject(store, request.key, signal)),
    link: (request) =>
      inBucket(request, request.key, (store, signal) => {
        const { name, signature } = placeAt(places, request)
        if (signature === 'none' || store.linkTo === undefined) {
          throw new RequestError(message('services.object.no-key-to-sign', { name }))
        }
        return store.linkTo({ key: request.key, expiresSeconds: request.expiresSeconds, signal })
      }),
    makeFolder: (request) =>
      inBucket(request, request.prefix, async (store, signal) => {
        // An object with this key may exist that is not listed yet, and it need not be empty.
        const there = await objectAt(openBucket({ places, deps }, request, signal), request.prefix)
        if (there !== null) throw new RequestError(message('services.object.folder-exists'))
        await store.putObject({ key: request.prefix, body: NOTHING, contentMd5: MD5_OF_NOTHING, signal })
        return null
      }),
    ...createRemoval({ places, deps, tickets }),
    ...createMoving({ places, deps, tickets }),
    abandon: tickets.giveBack,
  }
}

function totalSize(files: readonly { readonly sizeBytes: number }[]): number {
  return files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
}

/** Whether a key matches the search. A key that ends in `/` only stands for a folder and never does. */
function isFound(key: string, { prefix, words }: SearchObjectsRequest): boolean {
  const path = key.slice(prefix.length).toLocaleLowerCase()
  return !key.endsWith('/') && path.includes(words.toLocaleLowerCase())
}

const NOTHING = { sizeBytes: 0, async *open() {} }
const MD5_OF_NOTHING = createHash('md5').digest('base64')
