import { basename } from 'node:path'
import type { EnqueueResult, EnqueueUploadFolder } from '../../../shared/ipc/ipc-contract.ts'
import { isFinal } from '../../../shared/transfer/transfer.ts'
import { visibleText } from '../../../shared/visible-text.ts'
import { openSourceFiles, type Engine } from '../../engine/index.ts'
import { RequestError } from '../requests/request-error.ts'
import { locationOf, placeAt } from '../places/open-bucket.ts'
import type { Places } from '../places/places.ts'
import { createSourceSums } from './count-sources.ts'
import { message } from '../../../shared/language/message.ts'

type UploadEngine = Pick<Engine, 'snapshot' | 'enqueueUploadFolder'>
type PlacesDoor = Pick<Places, 'require'>

/** The window's requests about folders to upload. */
export function createFolderUploads(engine: UploadEngine, places: PlacesDoor) {
  return {
    measureSources: createSourceSums(openSourceFiles).measure,
    enqueueUploadFolder: (request: EnqueueUploadFolder) => enqueueUploadFolder(engine, places, request),
  }
}

/** Adds files and folders as one upload, unless the list already has the same one. Throws RequestError. */
export async function enqueueUploadFolder(
  engine: UploadEngine,
  places: PlacesDoor,
  request: EnqueueUploadFolder,
): Promise<EnqueueResult> {
  const { placeId, prefix, paths, onConflict, addsPaused } = request
  const location = locationOf(placeAt(places, request))
  requireNames(paths)
  const [only = ''] = paths
  const listed = engine
    .snapshot()
    .rows.find(
      (row) =>
        row.direction === 'upload' &&
        row.items != null &&
        !isFinal(row.status) &&
        row.placeId === placeId &&
        row.bucket === location.bucket &&
        row.key === prefix &&
        paths.length === 1 &&
        row.localPath === only,
    )
  if (listed !== undefined) {
    return {
      added: 0,
      skipped: [message('services.upload.listed', { name: visibleText(basename(only)) })],
      ids: [listed.id],
    }
  }
  await engine.enqueueUploadFolder({ location, prefix, sourcePaths: paths, onConflict }, { isPaused: addsPaused })
  return { added: 1, skipped: [] }
}

/** Keys begin with the name of what was dropped, so each item must have a name, and no two the same. */
function requireNames(paths: readonly string[]): void {
  const names = new Set<string>()
  for (const path of paths) {
    const name = basename(path)
    if (name === '') throw new RequestError(message('services.folder.no-name', { path }))
    if (names.has(name)) throw new RequestError(message('services.folder.two-names', { name }))
    names.add(name)
  }
}
