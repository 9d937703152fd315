import { writeFile } from 'node:fs/promises'
import type { BucketAddress } from '../../../../shared/ipc/object-requests.ts'
import type {
  OwnUpload,
  UnfinishedUpload,
  UnfinishedUploadsPage,
  UploadAmount,
  UploadMarkers,
  UploadName,
} from '../../../../shared/ipc/unfinished-upload.ts'
import type { Place } from '../../../../shared/place/place.ts'
import { isFinal, type TransferRow, type WaitState } from '../../../../shared/transfer/transfer.ts'
import { goesOn } from '../../../../shared/transfer/transfer-group.ts'
import {
  errnoCode,
  listAllParts,
  matchPartsList,
  withRetry,
  writePartsList,
  type CompareProgress,
  type Engine,
  type PartsList,
} from '../../../engine/index.ts'
import type {
  ListedPart,
  ListedUpload,
  ListMultipartUploadsPage,
  ListMultipartUploadsRequest,
  ObjectStore,
} from '../../../stores/port/object-store.ts'
import { RequestError } from '../../requests/request-error.ts'
import { locationOf, openBucket, placeAt, withRequestErrors, type BucketDeps } from '../../places/open-bucket.ts'
import { message } from '../../../../shared/language/message.ts'

interface UnfinishedDeps extends Pick<BucketDeps, 'deps'> {
  readonly engine: Pick<
    Engine,
    'snapshot' | 'row' | 'uploadsBegun' | 'discardUpload' | 'isDiscarding' | 'enqueueUploads'
  >
  readonly places: Pick<BucketDeps['places'], 'require' | 'openStore'>
}

export function createUnfinishedUploads({ engine, places, deps }: UnfinishedDeps): UnfinishedUploads {
  const contextOf = (address: BucketAddress, signal?: AbortSignal, onWait?: (wait: WaitState) => void) =>
    openBucket({ places, deps }, address, signal, onWait)
  const comparing = new Map<string, AbortController>()

  async function partsOf(upload: UploadName): Promise<readonly ListedPart[] | null> {
    const { key, uploadId } = upload
    const { store, signal, retryPolicy } = contextOf(upload)
    const listing = await listAllParts(store, { key, uploadId, signal }, retryPolicy)
    if (listing.kind === 'gone') throw new RequestError(message('services.upload.gone'))
    return listing.kind === 'listed' ? listing.parts : null
  }

  return {
    list: (address, after, onWait) =>
      withRequestErrors(places, address, '', async () => {
        const { store, signal, retryPolicy } = contextOf(address, undefined, onWait)
        const place = placeAt(places, address)
        const page = await withRetry(retryPolicy, () => listBelow(store, place, { ...after, signal }))
        const ours = oursOf(engine, place)
        const isLeft = ({ uploadId }: ListedUpload) => !engine.isDiscarding(uploadId)
        return { ...page, uploads: page.uploads.filter(isLeft).map((upload) => toUnfinished(upload, ours)) }
      }),
    measure: (upload) =>
      withRequestErrors(places, upload, upload.key, async () => {
        const parts = await partsOf(upload)
        return parts && { parts: parts.length, sizeBytes: parts.reduce((sum, part) => sum + part.sizeBytes, 0) }
      }),
    async discard({ key, uploadId, ...address }) {
      const place = placeAt(places, address)
      if (oursOf(engine, place).has(uploadId)) throw new RequestError(message('services.upload.in-list'))
      await engine.discardUpload({ location: locationOf(place), key, uploadId })
    },
    save: (upload, path) =>
      withRequestErrors(places, upload, path, async () => {
        const parts = await partsOf(upload)
        if (parts === null) throw new RequestError(message('services.upload.parts-unlisted'))
        const { bucket } = placeAt(places, upload)
        await writeFile(path, writePartsList({ ...upload, bucket }, parts)).catch((failure: unknown) => {
          throw new RequestError(
            message('services.upload.cannot-write', { path, code: errnoCode(failure) ?? 'unknown' }),
          )
        })
      }),
    finish: (upload, sourcePath, onProgress, parts = []) =>
      withRequestErrors(places, upload, sourcePath, async () => {
        const { key, uploadId } = upload
        const place = placeAt(places, upload)
        const isListed = (row: TransferRow) => row.direction === 'upload' && isIn(place, row) && row.key === key
        if (engine.snapshot().rows.some(isListed))
          throw new RequestError(message('services.upload.listed', { name: key }))
        const controller = new AbortController()
        comparing.set(uploadId, controller)
        try {
          const context = contextOf(upload, controller.signal)
          const adopt = await matchPartsList(context, { key, uploadId, parts }, sourcePath, onProgress)
          if (controller.signal.aborted) return false
          const request = { location: locationOf(place), key, sourcePath, onConflict: 'replace', adopt } as const
          await engine.enqueueUploads([request])
          return true
        } catch (failure) {
          if (controller.signal.aborted) return false
          throw failure
        } finally {
          comparing.delete(uploadId)
        }
      }),
    stop(uploadId) {
      comparing.get(uploadId)?.abort('stop')
    },
  }
}

/** A page of the uploads below the folder in which a place begins. */
async function listBelow(
  store: ObjectStore,
  { folder = '' }: Place,
  request: ListMultipartUploadsRequest,
): Promise<Pick<ListMultipartUploadsPage, 'uploads' | 'next'>> {
  const within = store.capabilities.listsUploadsByPrefix === true ? { prefix: folder } : {}
  const { uploads, next } = await store.listMultipartUploads({ ...within, ...request })
  return { uploads: uploads.filter(({ key }) => key.startsWith(folder)), next }
}

/** Our rows that continue an upload, by the upload's id. */
function oursOf(engine: Pick<Engine, 'row' | 'uploadsBegun'>, place: Place): ReadonlyMap<string, OwnUpload> {
  const ours = new Map<string, OwnUpload>()
  for (const [uploadId, id] of engine.uploadsBegun()) {
    const row = engine.row(id)
    if (row !== null && isIn(place, row)) ours.set(uploadId, ownUpload(row))
  }
  return ours
}

function ownUpload({ id, localPath, status }: TransferRow): OwnUpload {
  return { transferId: id, localPath, isUnderWay: goesOn(status) }
}

/** Whether a row is unfinished and in this bucket. */
function isIn({ id, bucket }: Place, row: TransferRow): boolean {
  return row.placeId === id && row.bucket === bucket && !isFinal(row.status)
}

function toUnfinished({ key, uploadId, initiated }: ListedUpload, ours: ReturnType<typeof oursOf>): UnfinishedUpload {
  const startedAtMs = Date.parse(initiated ?? '')
  return {
    key,
    uploadId,
    startedAtMs: Number.isNaN(startedAtMs) ? null : startedAtMs,
    ours: ours.get(uploadId) ?? null,
  }
}

/** The unfinished uploads of a place, including those of other programs. Every method throws RequestError. */
export interface UnfinishedUploads {
  /** `onWait` receives why a page takes longer, and when it is requested again. */
  list(
    address: BucketAddress,
    after: UploadMarkers | null,
    onWait: (wait: WaitState) => void,
  ): Promise<UnfinishedUploadsPage>
  measure(upload: UploadName): Promise<UploadAmount>
  /** Resolves when the intent is durable; the abort is then repeated until the upload is gone. */
  discard(upload: UploadName): Promise<void>
  /** Writes the parts list of an upload to a file. */
  save(upload: UploadName, path: string): Promise<void>
  /**
   * Continues an upload with the file that its parts are from; resolves to false if stopped. `parts` are needed where
   * the service lists none.
   */
  finish(
    upload: UploadName,
    sourcePath: string,
    onProgress: (progress: CompareProgress) => void,
    parts?: PartsList['parts'],
  ): Promise<boolean>
  /** Stops comparing a file with an upload. */
  stop(uploadId: string): void
}
