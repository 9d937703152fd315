import type { EngineDeps } from './core/deps.ts'
import { runDownload } from './download/download.ts'
import { discardFolder, runFolder } from './folders/download/folder-download.ts'
import { openSmallFiles } from './folders/download/small-files.ts'
import { discardUploadFolder, runUploadFolder } from './folders/upload/folder-upload.ts'
import { openSourceFiles } from './folders/upload/source-files.ts'
import { discardDownload } from './partial-file/partial-file.ts'
import type { EngineOptions } from './core/requests.ts'
import type { Engine } from './queue/api.ts'
import { TransferEngine } from './queue/engine.ts'
import { resolveUpload } from './upload/resolve-outcome.ts'
import { runUpload } from './upload/upload.ts'

/** Creates the engine of one state folder. Call its `load` first. */
export function createEngine(deps: EngineDeps, options: EngineOptions): Engine {
  return new TransferEngine(deps, options, {
    upload: runUpload,
    download: runDownload,
    folder: (context) => runFolder(context, openSmallFiles, runDownload),
    uploadFolder: (context) => runUploadFolder(context, openSourceFiles, runUpload),
    resolveUpload,
    discardDownload,
    discardFolder: (record, itsDeps) => discardFolder(record, itsDeps, openSmallFiles, discardDownload),
    discardUploadFolder,
  })
}

export { forEachLimit } from './async/for-each-limit.ts'
export { areThreadsLeft, endThreads } from './async/start-thread.ts'
export { CheckpointError } from './checkpoint/database/checkpoint-error.ts'
export { deleteDiscarded } from './checkpoint/discarded.ts'
export { openLink } from './checkpoint/tables/link-secrets.ts'
export type { Damage } from './checkpoint/salvage.ts'
export { openCheckpointStore, type SqliteCheckpointStore } from './checkpoint/sqlite-checkpoint-store.ts'
export { MoveError } from './copying/move-error.ts'
export { moveObject } from './copying/move-object.ts'
export { StateUnwritable, type CheckpointStore } from './core/checkpoint-store.ts'
export type { Clock, EngineDeps } from './core/deps.ts'
export { errnoCode, isSystemError } from '../errno/errno.ts'
export type { RateLimiter } from './core/rate-limiter.ts'
export type { DueAbort, StoreLocation, TransferChanges, TransferRecord, UploadFolderSums } from './core/records.ts'
export type { DownloadRequest, EngineOptions, FolderRequest, UploadMatch, UploadRequest } from './core/requests.ts'
export { composedName } from './files/composed-name.ts'
export { onTarget } from './files/file-errors.ts'
export { makeFolders } from './files/make-folders.ts'
export { homeFolder, longPathWords, nameRulesOf } from './files/name-rules.ts'
export { readSmallFile } from './files/read-small-file.ts'
export { nameKey, numberedName, safeFileName, uniqueName, type NameRules } from './files/safe-name.ts'
export { isSpecialFile } from './files/special-file.ts'
export { syncDirectory } from '../durable/sync-directory.ts'
export { createTokenBucket } from './flow-control/token-bucket.ts'
export { isFolderMarker } from './folders/download/list-prefix.ts'
export { sumWalk } from './folders/upload/plan.ts'
export { openSourceFiles, type SourceFiles } from './folders/upload/source-files.ts'
export { proofByEtag } from './integrity/etag-trust.ts'
export { provesContent } from './integrity/proof-strength.ts'
export { proveIfReadable } from './integrity/prove-content.ts'
export { completeFromParts, prepareCompletion } from './multipart/complete-from-parts.ts'
export { headKey, objectAt, resolveKeyConflict, type KeyDecision } from './multipart/key-conflict.ts'
export { listAllParts, listUploadsOfKey, listUploadsUnder, uploadPages } from './multipart/listings.ts'
export { checkPartsList, problemOfParts, matchPartsList, type WrittenUpload } from './multipart/match-parts-list.ts'
export { compareUploads, matchUploads, type CompareProgress, type MatchContext } from './multipart/match-uploads.ts'
export { createOpenUploads } from './multipart/open-uploads.ts'
export { PARTS_LIST_SHAPE, PartsListError, type PartsListFault } from './multipart/parts-list-fault.ts'
export { isMeantAsPartsList, parsePartsList, writePartsList, type PartsList } from './multipart/parts-list.ts'
export { AdoptionRefused, type FoundPartial } from './partial-file/adopt-partial.ts'
export type { Engine } from './queue/api.ts'
export { classify, isOfNetwork, isUnreachable } from './retry/classify.ts'
export { createRetryPolicy, withRetry, PROGRESS_BYTES, type RetryContext } from './retry/create-retry-policy.ts'
export { limitEmptyPages } from './retry/endless-pages.ts'
export { lookIfPossible } from './retry/look-if-possible.ts'
export { createNodeDeps } from './system/node-deps.ts'
export { nodeFiles } from './system/node-files.ts'
export { realPath } from './system/real-path.ts'
export { openSidecarKey } from './system/sidecar-key.ts'
export { createSystemClock } from './system/system-clock.ts'
export { SYSTEM_WAKE, watchWake } from './system/wake-watch.ts'
