import { describeError } from '../shared/error-words.ts'
import type { ListObjectsPage, ListObjectsRequest } from '../shared/ipc-contract.ts'
import { classify } from './engine/index.ts'
import { RequestError } from './ipc/request-error.ts'
import type { Places } from './places.ts'

const PAGE_SIZE = 1000
const PATIENCE_MS = 30_000

/** One page of a folder of a place. Throws RequestError with the sentence that the window shows. */
export async function listObjects(
  places: Pick<Places, 'require' | 'openStore'>,
  { placeId, prefix, marker }: ListObjectsRequest,
): Promise<ListObjectsPage> {
  const { bucket, name } = places.require(placeId)
  try {
    const store = places.openStore({ kind: 'place', placeId, bucket })
    const { prefixes, objects, nextMarker } = await store.listObjects({
      prefix,
      delimiter: '/',
      maxKeys: PAGE_SIZE,
      signal: AbortSignal.timeout(PATIENCE_MS),
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
