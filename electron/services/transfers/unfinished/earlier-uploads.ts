import type { UploadCandidate, UploadOffer } from '../../../../shared/ipc/upload-offer.ts'
import type { TransferId, TransferRow } from '../../../../shared/transfer/transfer.ts'
import {
  classify,
  compareUploads,
  listUploadsOfKey,
  type CompareProgress,
  type Engine,
  type EngineDeps,
  type UploadMatch,
} from '../../../engine/index.ts'
import { RequestError } from '../../requests/request-error.ts'
import { openBucket, silenceWords } from '../../places/open-bucket.ts'
import type { Places } from '../../places/places.ts'
import { message } from '../../../../shared/language/message.ts'

interface OfferDeps {
  readonly engine: Pick<Engine, 'row' | 'decideUpload'>
  readonly places: Pick<Places, 'require' | 'openStore'>
  readonly deps: Pick<EngineDeps, 'clock' | 'random' | 'fileSystem' | 'hasher' | 'checkpoints'>
}

/** Offers a dropped file the unfinished uploads of its key: compares them, then takes a person's decision. */
export interface UploadOffers {
  /** Compares the file of an upload that has not begun with the unfinished uploads of its key. Throws RequestError. */
  compare(id: TransferId, onProgress: (progress: CompareProgress) => void): Promise<UploadOffer>
  stop(id: TransferId): void
  /** Continues an upload that was compared, or begins a new one if `uploadId` is null. Throws RequestError. */
  decide(id: TransferId, uploadId: string | null): Promise<void>
}

export function createUploadOffers({ engine, places, deps }: OfferDeps): UploadOffers {
  const comparing = new Map<TransferId, AbortController>()
  const compared = new Map<TransferId, readonly UploadMatch[]>()

  function stop(id: TransferId): void {
    comparing.get(id)?.abort('stop')
    comparing.delete(id)
  }

  async function compareRow(row: TransferRow, onProgress: (progress: CompareProgress) => void, signal: AbortSignal) {
    const { placeId, bucket, key, localPath } = row
    if (placeId === null) throw new RequestError(message('services.earlier.only-places'))
    const { retryPolicy, ...context } = openBucket({ places, deps }, { placeId, bucket }, signal)
    const leaving = new Set((await deps.checkpoints.abortsDue()).map((due) => due.uploadId))
    const uploads = await listUploadsOfKey(context.store, key, retryPolicy, signal)
    const unfinished = uploads.filter(({ uploadId }) => !leaving.has(uploadId))
    return compareUploads(context, unfinished, localPath, { onProgress })
  }

  return {
    stop,
    async compare(id, onProgress) {
      stop(id)
      const row = rowOf(engine, id)
      const controller = new AbortController()
      comparing.set(id, controller)
      try {
        const { matches, unseen } = await compareRow(row, onProgress, controller.signal)
        const useful = matches.filter(isOfUse)
        compared.set(id, useful)
        return { candidates: useful.map(toCandidate), unseen: unseen.length }
      } catch (failure) {
        if (controller.signal.aborted) throw new RequestError(message('services.earlier.stopped'))
        throw toRequestError(failure, row, places)
      } finally {
        if (comparing.get(id) === controller) comparing.delete(id)
      }
    },
    async decide(id, uploadId) {
      const match = uploadId === null ? null : compared.get(id)?.find((each) => each.uploadId === uploadId)
      if (match === undefined) throw new RequestError(message('services.earlier.not-compared'))
      stop(id)
      if (!(await engine.decideUpload(id, match))) throw new RequestError(message('services.earlier.started'))
      compared.delete(id)
    },
  }
}

function rowOf(engine: Pick<Engine, 'row'>, id: TransferId): TransferRow {
  const row = engine.row(id)
  if (row?.direction !== 'upload') throw new RequestError(message('services.earlier.gone'))
  return row
}

/** A part that can't be compared may belong to the file; one that provably differs does not. */
function isOfUse({ proven, differing, isProvable }: UploadMatch): boolean {
  return proven.length > 0 || (!isProvable && differing.length > 0)
}

function toCandidate({ uploadId, initiated, plan, proven, differing, isProvable }: UploadMatch): UploadCandidate {
  const startedAtMs = initiated === null ? Number.NaN : Date.parse(initiated)
  return {
    uploadId,
    startedAtMs: Number.isNaN(startedAtMs) ? null : startedAtMs,
    partsTotal: plan.partCount,
    partsThere: proven.length + differing.length,
    partsProven: proven.length,
    provenBytes: proven.reduce((sum, part) => sum + part.sizeBytes, 0),
    isProvable,
  }
}

function toRequestError(failure: unknown, row: TransferRow, places: Pick<Places, 'require'>): RequestError {
  if (failure instanceof RequestError) return failure
  const { name: placeName, bucket } = places.require(row.placeId ?? '')
  const verdict = classify(failure)
  if (verdict.kind === 'wait') return new RequestError(silenceWords(verdict.cause, placeName))
  const context = { name: row.name, placeName, bucket, localPath: row.localPath }
  return new RequestError({ error: verdict.error.info, context })
}
