import { writeFile } from 'node:fs/promises'
import { isFinal } from '../shared/transfer.ts'
import type { UnfinishedUpload, UploadName } from '../shared/unfinished-upload.ts'
import { errnoCode, listAllParts, matchPartsList, patiently, writePartsList, type Engine } from './engine/index.ts'
import { RequestError } from './ipc/request-error.ts'
import type { UnfinishedUploads } from './ipc/upload-services.ts'
import { patienceAt, told, type PatientDeps } from './patience-at.ts'
import type { ListedPart, ListedUpload, ListMultipartUploadsPage } from './stores/object-store.ts'

interface UnfinishedDeps extends Pick<PatientDeps, 'deps'> {
  readonly engine: Pick<Engine, 'snapshot' | 'details' | 'discardUpload' | 'enqueueUploads'>
  readonly places: Pick<PatientDeps['places'], 'require' | 'openStore'>
}

export function createUnfinishedUploads({ engine, places, deps }: UnfinishedDeps): UnfinishedUploads {
  function locationOf(placeId: string) {
    return { kind: 'place', placeId, bucket: places.require(placeId).bucket } as const
  }

  const contextOf = (placeId: string, signal?: AbortSignal) => patienceAt({ places, deps }, placeId, signal)
  const comparing = new Map<string, AbortController>()

  async function partsOf({ placeId, key, uploadId }: UploadName): Promise<readonly ListedPart[] | null> {
    const { store, signal, patience } = contextOf(placeId)
    const listing = await listAllParts(store, { key, uploadId, signal }, patience)
    if (listing.kind === 'gone') throw new RequestError('The server has no such upload any more.')
    return listing.kind === 'listed' ? listing.parts : null
  }

  return {
    list: (placeId, after) =>
      told(places, placeId, '', async () => {
        const { store, signal, patience } = contextOf(placeId)
        const ask = (): Promise<ListMultipartUploadsPage> => store.listMultipartUploads({ ...after, signal })
        const [page, due] = await Promise.all([patiently(patience, ask), deps.checkpoints.abortsDue()])
        const leaving = new Set(due.map(({ uploadId }) => uploadId))
        const ours = oursOf(engine, placeId)
        const left = page.uploads.filter(({ uploadId }) => !leaving.has(uploadId))
        return { uploads: left.map((upload) => toUnfinished(upload, ours)), next: page.next }
      }),
    measure: (upload) =>
      told(places, upload.placeId, upload.key, async () => {
        const parts = await partsOf(upload)
        return parts && { parts: parts.length, sizeBytes: parts.reduce((sum, part) => sum + part.sizeBytes, 0) }
      }),
    async discard({ placeId, key, uploadId }) {
      if (oursOf(engine, placeId).has(uploadId)) throw new RequestError('This upload is in the list: cancel it there.')
      await engine.discardUpload({ location: locationOf(placeId), key, uploadId })
    },
    save: (upload, path) =>
      told(places, upload.placeId, path, async () => {
        const parts = await partsOf(upload)
        if (parts === null) throw new RequestError('The service doesn’t list the parts of this upload.')
        const { bucket } = places.require(upload.placeId)
        await writeFile(path, writePartsList({ ...upload, bucket }, parts)).catch((failure: unknown) => {
          throw new RequestError(`Can’t write ${path} (${errnoCode(failure) ?? 'unknown'}).`)
        })
      }),
    finish: (upload, sourcePath, onProgress, parts = []) =>
      told(places, upload.placeId, sourcePath, async () => {
        const { placeId, key, uploadId } = upload
        const row = engine
          .snapshot()
          .rows.find((each) => each.placeId === placeId && each.key === key && !isFinal(each.status))
        if (row?.direction === 'upload') throw new RequestError(`${key} is already in the list.`)
        const controller = new AbortController()
        comparing.set(uploadId, controller)
        try {
          const context = contextOf(placeId, controller.signal)
          const adopt = await matchPartsList(context, { key, uploadId, parts }, sourcePath, onProgress)
          if (controller.signal.aborted) return false
          await engine.enqueueUploads([{ location: locationOf(placeId), key, sourcePath, adopt }])
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

/** Rows that go on with an upload, by its id. */
function oursOf(
  engine: Pick<Engine, 'snapshot' | 'details'>,
  placeId: string,
): ReadonlyMap<string, NonNullable<UnfinishedUpload['ours']>> {
  const open = engine
    .snapshot()
    .rows.filter((row) => row.direction === 'upload' && row.placeId === placeId && !isFinal(row.status))
  return new Map(
    open.map(({ id, localPath }) => [engine.details(id)?.uploadId ?? '', { transferId: id, localPath }] as const),
  )
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
