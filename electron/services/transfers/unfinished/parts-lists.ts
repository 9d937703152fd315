import { basename } from 'node:path'
import type { BucketAddress } from '../../../../shared/ipc/object-requests.ts'
import type { DroppedPartsList, PartsListReview } from '../../../../shared/ipc/parts-list-review.ts'
import { MIB } from '../../../../shared/limits.ts'
import type { Place } from '../../../../shared/place/place.ts'
import { isFinal } from '../../../../shared/transfer/transfer.ts'
import {
  isMeantAsPartsList,
  nodeFiles,
  listAllParts,
  listUploadsUnder,
  parsePartsList,
  prepareCompletion,
  problemOfParts,
  readSmallFile,
  type CompareProgress,
  type Engine,
  type PartsList,
} from '../../../engine/index.ts'
import type { ListedPart, ListedUpload } from '../../../stores/port/object-store.ts'
import { RequestError } from '../../requests/request-error.ts'
import { locationOf, openBucket, placeAt, withRequestErrors, type BucketDeps } from '../../places/open-bucket.ts'
import { partsListWords } from '../../places/parts-list-words.ts'
import type { UnfinishedUploads } from './unfinished-uploads.ts'
import { message, type Message } from '../../../../shared/language/message.ts'

/** A list of 10,000 parts takes about 1 MiB; a larger file than this is no parts list. */
const MAX_LIST_BYTES = 8 * MIB
/** How many pages of a listing are searched for an upload whose key the parts list doesn’t give. */
const MAX_PAGES = 100

interface PartsListsDeps extends BucketDeps {
  readonly engine: Pick<Engine, 'snapshot' | 'enqueueUploads'>
  readonly unfinished: Pick<UnfinishedUploads, 'finish'>
}

/** A parts list, its upload, and the parts there on the server (null: the service doesn’t list them). */
interface FoundUpload {
  readonly place: Place
  readonly list: PartsList
  readonly upload: ListedUpload
  readonly there: readonly ListedPart[] | null
}

export function createPartsLists(around: PartsListsDeps): PartsLists {
  const withSentences = <Value>(dropped: DroppedPartsList, work: () => Promise<Value>): Promise<Value> =>
    withRequestErrors(around.places, dropped, basename(dropped.path), work)

  return {
    find: async (paths) => {
      const found: string[] = []
      for (const path of paths) if (await isPartsList(path)) found.push(path)
      return found
    },
    review: (dropped) =>
      withSentences(dropped, async () => {
        const found = await findUpload(around, dropped)
        const { place, list, upload, there } = found
        const startedAtMs = Date.parse(upload.initiated ?? '')
        return {
          upload: { ...addressOf(place), key: upload.key, uploadId: upload.uploadId },
          placeName: place.name,
          bucket: place.bucket,
          startedAtMs: Number.isNaN(startedAtMs) ? null : startedAtMs,
          parts: list.parts.length,
          sizeBytes: there && there.reduce((sum, part) => sum + part.sizeBytes, 0),
          lack: lack(found, openBucket(around, addressOf(place)).store.capabilities.minPartSizeBytes),
        }
      }),
    complete: (dropped) =>
      withSentences(dropped, async () => {
        const found = await findUpload(around, dropped)
        const { place, upload, there } = found
        const context = openBucket(around, addressOf(place))
        const lacking = lack(found, context.store.capabilities.minPartSizeBytes)
        if (lacking !== null || there === null) throw new RequestError(lacking ?? message('services.parts.unlisted'))
        const { key, uploadId } = upload
        const completes = await prepareCompletion(context, { key, uploadId, parts: there })
        if (completes === null) throw new RequestError(message('services.parts.unprovable'))
        const onConflict = completes.intent.baseline === null ? 'fail' : 'replace'
        const request = { location: locationOf(place), key, sourcePath: dropped.path, onConflict, completes } as const
        await around.engine.enqueueUploads([request])
      }),
    finish: (dropped, sourcePath, onProgress) =>
      withSentences(dropped, async () => {
        const { place, upload, list } = await findUpload(around, dropped)
        const name = { ...addressOf(place), key: upload.key, uploadId: upload.uploadId }
        return around.unfinished.finish(name, sourcePath, onProgress, list.parts)
      }),
  }
}

/** Finds the upload that a parts list belongs to. Throws RequestError, PartsListError and what stores throw. */
async function findUpload(around: PartsListsDeps, dropped: DroppedPartsList): Promise<FoundUpload> {
  const list = parsePartsList(await readText(dropped.path))
  const place = placeOf(around, list, dropped)
  const { store, signal, retryPolicy } = openBucket(around, addressOf(place))
  const upload = await uploadOf(around, list, place)
  refuseListed(around, place, upload)
  const listing = await listAllParts(store, { key: upload.key, uploadId: upload.uploadId, signal }, retryPolicy)
  if (listing.kind === 'gone') throw new RequestError(message('services.upload.gone-ended'))
  return { place, list, upload, there: listing.kind === 'listed' ? listing.parts : null }
}

function placeOf({ places }: PartsListsDeps, { bucket }: PartsList, dropped: DroppedPartsList): Place {
  if (bucket === null) return placeAt(places, dropped)
  const shown = places.require(dropped.placeId)
  if (shown.bucket === '' || shown.bucket === bucket) return { ...shown, bucket }
  const [other] = places.list().filter((place) => place.bucket === bucket)
  if (other !== undefined) return other
  throw new RequestError(message('services.parts.other-bucket', { bucket }))
}

/** The parts list may leave out the key or the id; if only one upload fits, it is the one. */
async function uploadOf(around: PartsListsDeps, { key, uploadId }: PartsList, place: Place): Promise<ListedUpload> {
  if (key === null && uploadId === null) throw new RequestError(message('services.parts.no-upload'))
  const { store, signal, retryPolicy } = openBucket(around, addressOf(place))
  const listed = await listUploadsUnder(store, key ?? '', { retryPolicy, signal, maxPages: MAX_PAGES })
  const fitting = (typeof listed === 'string' ? [] : listed).filter(
    (upload) => (key === null || upload.key === key) && (uploadId === null || upload.uploadId === uploadId),
  )
  const [upload, ...others] = fitting
  if (others.length > 0) throw new RequestError(message('services.parts.several', { key: key ?? '' }))
  if (upload !== undefined) return upload
  // A service that lists no uploads may still know this one.
  if (typeof listed === 'string' && key !== null && uploadId !== null) return { key, uploadId, initiated: null }
  throw new RequestError(message('services.parts.none-fits', { name: place.name }))
}

function refuseListed({ engine }: PartsListsDeps, { id, bucket }: Place, { key }: ListedUpload): void {
  const uploads = engine.snapshot().rows.filter(({ direction, status }) => direction === 'upload' && !isFinal(status))
  const isListed = uploads.some((row) => row.placeId === id && row.bucket === bucket && row.key === key)
  if (isListed) throw new RequestError(message('services.upload.listed', { name: key }))
}

function addressOf({ id, bucket }: Place): Required<BucketAddress> {
  return { placeId: id, bucket }
}

function lack({ list, there }: FoundUpload, minPartSizeBytes: number): Message | null {
  if (there === null) return message('services.parts.unlisted')
  const fault = problemOfParts(list.parts, there, minPartSizeBytes)
  if (fault !== null) return partsListWords(fault)
  return there.every(hasMd5) ? null : message('services.parts.unprovable')
}

function hasMd5({ etag }: ListedPart): boolean {
  return /^"?[0-9a-f]{32}"?$/i.test(etag)
}

async function isPartsList(path: string): Promise<boolean> {
  const text = await textOf(path)
  return text !== null && isMeantAsPartsList(text)
}

async function readText(path: string): Promise<string> {
  const text = await textOf(path)
  if (text === null) throw new RequestError(message('services.parts.unreadable', { name: basename(path) }))
  return text
}

/** Null if the file can't be read, is too large, or is no file. */
async function textOf(path: string): Promise<string | null> {
  const bytes = await readSmallFile(nodeFiles, path, MAX_LIST_BYTES).catch(() => null)
  return bytes && bytes.toString()
}

/** Parts lists dropped on the window, written by Sluice or another tool. */
export interface PartsLists {
  /** The paths of files that are meant as parts lists. */
  find(paths: readonly string[]): Promise<readonly string[]>
  /** Compares a parts list with its upload. Throws RequestError when the list is of no use. */
  review(list: DroppedPartsList): Promise<PartsListReview>
  /** Completes the upload with exactly these parts, as a row of the queue. Throws RequestError. */
  complete(list: DroppedPartsList): Promise<void>
  /** Continues the upload with its file; resolves to false if stopped. Throws RequestError. */
  finish(list: DroppedPartsList, sourcePath: string, onProgress: (at: CompareProgress) => void): Promise<boolean>
}
