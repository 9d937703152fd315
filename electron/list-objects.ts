import { describeError } from '../shared/error-words.ts'
import type { ListObjectsPage, ListObjectsRequest, MeasuredPage } from '../shared/ipc-contract.ts'
import { classify } from './engine/index.ts'
import { RequestError } from './ipc/request-error.ts'
import type { Places } from './places.ts'

const PAGE_SIZE = 1000
const PATIENCE_MS = 30_000

type PlacesDoor = Pick<Places, 'require' | 'openStore'>

/** One page of a folder of a place. Throws RequestError with the sentence that the window shows. */
export async function listObjects(places: PlacesDoor, request: ListObjectsRequest): Promise<ListObjectsPage> {
  return listPage(places, request, { delimiter: '/' })
}

/** Counts one page of what a folder and the folders in it hold, as a download of it would. Throws RequestError. */
export async function measureObjects(places: PlacesDoor, request: ListObjectsRequest): Promise<MeasuredPage> {
  const { objects, nextMarker } = await listPage(places, request, {})
  // A key that ends in `/` only stands for a folder.
  const files = objects.filter(({ key }) => !key.endsWith('/'))
  const sizeBytes = files.reduce((sum, object) => sum + object.sizeBytes, 0)
  return { objects: files.length, sizeBytes, nextMarker }
}

async function listPage(
  places: PlacesDoor,
  { placeId, prefix, marker }: ListObjectsRequest,
  grouping: { readonly delimiter?: string },
): Promise<ListObjectsPage> {
  const { bucket, name } = places.require(placeId)
  try {
    const store = places.openStore({ kind: 'place', placeId, bucket })
    const { prefixes, objects, nextMarker } = await store.listObjects({
      prefix,
      maxKeys: PAGE_SIZE,
      signal: AbortSignal.timeout(PATIENCE_MS),
      ...grouping,
      ...(marker === null ? {} : { marker }),
    })
    return { prefixes, objects, nextMarker }
  } catch (error) {
    const verdict = classify(error)
    const isSilent = verdict.kind === 'wait' || (error instanceof Error && error.name === 'TimeoutError')
    if (isSilent) throw new RequestError(`${name} doesn’t answer.`)
    const context = { name: prefix, placeName: name, bucket, localPath: '' }
    throw new RequestError(describeError(verdict.error.info, context).sentence)
  }
}
