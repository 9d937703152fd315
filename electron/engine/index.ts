import type { Engine, EngineOptions } from './api.ts'
import type { EngineDeps } from './deps.ts'
import { discardDownload } from './download-partial.ts'
import { runDownload } from './download.ts'
import { TransferEngine } from './engine.ts'
import { discardFolder, runFolder } from './folder-run.ts'
import { openSmallFiles } from './small-files.ts'
import { openSourceFiles } from './source-files.ts'
import { discardUploadFolder, runUploadFolder } from './upload-folder-run.ts'
import { settleUpload } from './upload-settle.ts'
import { runUpload } from './upload.ts'

/** Makes the engine of one state folder. Its `load` comes first. */
export function createEngine(deps: EngineDeps, options: EngineOptions): Engine {
  return new TransferEngine(deps, options, {
    upload: runUpload,
    download: runDownload,
    folder: (context) => runFolder(context, openSmallFiles, runDownload),
    uploadFolder: (context) => runUploadFolder(context, openSourceFiles, runUpload),
    settleUpload,
    discardDownload,
    discardFolder: (record, itsDeps) => discardFolder(record, itsDeps, openSmallFiles, discardDownload),
    discardUploadFolder,
  })
}

export type {
  DownloadRequest,
  Engine,
  EngineOptions,
  FolderRequest,
  UploadFolderRequest,
  UploadRequest,
} from './api.ts'
export type {
  CheckpointStore,
  StoreLocation,
  TransferChanges,
  TransferRecord,
  UploadConflict,
  UploadFolderSums,
} from './checkpoint/checkpoint.ts'
export { CheckpointError } from './checkpoint/checkpoint-error.ts'
export { openCheckpointStore } from './checkpoint/sqlite-checkpoint-store.ts'
export { completeFromParts, prepareCompletion } from './completion-parts.ts'
export { proveContent } from './content-proof.ts'
export type { EngineDeps } from './deps.ts'
export { AdoptionRefused, inspectPartial, type FoundPartial } from './download-adoption.ts'
export { expandPaths, type ExpandedFile } from './expand-paths.ts'
export { createHasher } from './hash-pool.ts'
export { createOriginMark } from './origin-mark.ts'
export { classify, createPatience, errnoCode, patiently, PROGRESS_BYTES, type PatienceContext } from './retry.ts'
export { nameKey, safeFileName, uniqueName } from './safe-name.ts'
export { openSourceFiles, type SourceFiles } from './source-files.ts'
export { SYSTEM_SURROUNDINGS, watchSurroundings } from './surroundings.ts'
export { createSystemClock } from './system-clock.ts'
export { createOpenUploads } from './open-uploads.ts'
export { isMeantAsPartsList, parsePartsList, PartsListError, writePartsList, type PartsList } from './parts-list.ts'
export { checkPartsList, lackOf, matchPartsList } from './parts-match.ts'
export { compareUploads, matchUploads, type CompareProgress, type UploadMatch } from './upload-adoption.ts'
export { sumWalk } from './upload-folder-plan.ts'
export { lookAtKey, objectAt, wayOfUpload } from './upload-way.ts'
export { listAllParts, listUploadsOfKey, listUploadsUnder } from './upload-listing.ts'
