import { basename, dirname } from 'node:path'
import type { EnqueueResult, EnqueueUploads } from '../../../shared/ipc/ipc-contract.ts'
import type { TransferId, TransferRow } from '../../../shared/transfer/transfer.ts'
import { rowNameMessage } from '../../../shared/transfer/row-name.ts'
import { message, type Message } from '../../../shared/language/message.ts'
import { visibleText } from '../../../shared/visible-text.ts'
import type { Engine, StoreLocation } from '../../engine/index.ts'
import { locationOf, placeAt } from '../places/open-bucket.ts'
import type { Places } from '../places/places.ts'
import { openRows, shorten } from './enqueue-common.ts'
import { tellApart } from './batch-files.ts'
import { chosenFiles, type ChosenFile } from './chosen-files.ts'
import { continueListed } from './resume-listed.ts'
import { describeTaken } from './taken-uploads.ts'
import type { TakenFiles, UploadConflicts } from './upload-conflicts.ts'

export type UploadEngine = Pick<Engine, 'snapshot' | 'enqueueUploads' | 'enqueueUploadFolder' | 'resume' | 'retry'>

/**
 * Adds the files at `paths`, except those already in the list: many small ones as one row, others as a row each. Until
 * `onConflict` is chosen, files whose key already has an object are not added but returned as `taken`.
 */
export async function enqueueUploads(
  engine: UploadEngine,
  places: Pick<Places, 'require'>,
  request: EnqueueUploads,
  conflicts: UploadConflicts,
): Promise<EnqueueResult> {
  const { placeId, prefix, paths, onConflict, addsPaused } = request
  const location = locationOf(placeAt(places, request))
  const { files, skipped } = await chosenFiles(paths, prefix)
  const sources = new Map<string, { readonly localPath: string; readonly id: TransferId | null }>(
    openRows(engine)
      .filter((row) => row.direction === 'upload' && row.placeId === placeId && row.bucket === location.bucket)
      .map(({ key, localPath, id }) => [key, { localPath, id }] as const),
  )
  const continued = await continueListed(engine, location, files)
  const fresh: ChosenFile[] = []
  const refused: Message[] = []
  const ids = [...continued.values()].map(({ id }) => id)
  for (const file of files) {
    const { sourcePath, key } = file
    if (continued.has(key)) continue
    const other = sources.get(key)
    sources.set(key, other ?? { localPath: sourcePath, id: null })
    if (other === undefined) {
      fresh.push(file)
      continue
    }
    const { localPath, id } = other
    if (id !== null) ids.push(id)
    if (localPath === sourcePath)
      refused.push(message('services.upload.listed', { name: visibleText(basename(sourcePath)) }))
    else
      refused.push(
        message('services.skipped.would-replace', { path: visibleText(sourcePath), other: visibleText(localPath) }),
      )
  }
  const taken = onConflict === undefined ? await conflicts.find(location, fresh) : NONE_TAKEN
  const { alone, together } = await tellApart(fresh.filter((file) => !taken.files.has(file)))
  const listed = listedBatch(engine, request, location.bucket, together)
  if (listed !== undefined) {
    ids.push(listed.id)
    refused.push(message('services.upload.batch-listed', { name: rowNameMessage(listed) }))
  }
  const batch = listed === undefined ? together : []
  const wanted =
    onConflict === undefined ? { files: alone, skipped: [] } : await conflicts.resolve(location, alone, onConflict)
  await engine.enqueueUploads(
    wanted.files.map(({ sourcePath, key }) => ({
      location,
      key,
      sourcePath,
      onConflict: onConflict === 'replace' ? 'replace' : 'fail',
    })),
    { isPaused: addsPaused },
  )
  if (batch.length > 0) {
    const sourcePaths = batch.map(({ sourcePath }) => sourcePath)
    // An object that appears at one of the keys meanwhile stays.
    const asked = { location, prefix, sourcePaths, onConflict: onConflict ?? 'keep-both' }
    await engine.enqueueUploadFolder(asked, { isPaused: addsPaused })
  }
  const elsewhere = unfinishedElsewhere(engine, location, wanted.files)
  return {
    added: wanted.files.length + batch.length,
    elsewhere: elsewhere.map(({ name, key, confirmedBytes }) => ({ name, key, confirmedBytes })),
    skipped: shorten([...skipped, ...refused, ...wanted.skipped]),
    taken: await describeTaken(taken),
    continued: [...continued.values()].map(({ name, confirmedBytes }) => ({ name, confirmedBytes })),
    ids: [...ids, ...elsewhere.map(({ id }) => id)],
  }
}

/** Rows that have already uploaded part of one of these files, under another key of the same bucket. */
function unfinishedElsewhere(
  engine: Pick<Engine, 'snapshot'>,
  { placeId, bucket }: Extract<StoreLocation, { kind: 'place' }>,
  files: readonly ChosenFile[],
): readonly TransferRow[] {
  const keys = new Map(files.map(({ sourcePath, key }) => [sourcePath, key]))
  return openRows(engine).filter(
    (row) =>
      row.direction === 'upload' &&
      row.items == null &&
      row.placeId === placeId &&
      row.bucket === bucket &&
      row.confirmedBytes > 0 &&
      (keys.get(row.localPath) ?? row.key) !== row.key,
  )
}

/** The unfinished row for a batch of the same files; undefined when there is none. */
function listedBatch(
  engine: Pick<Engine, 'snapshot'>,
  { placeId, prefix }: EnqueueUploads,
  bucket: string,
  files: readonly ChosenFile[],
): TransferRow | undefined {
  const [first] = files
  if (first === undefined) return undefined
  return openRows(engine).find(
    (row) =>
      row.others === files.length - 1 &&
      row.placeId === placeId &&
      row.bucket === bucket &&
      row.key === prefix &&
      row.name === basename(first.sourcePath) &&
      row.localPath === dirname(first.sourcePath),
  )
}

const NONE_TAKEN: TakenFiles = { files: new Map(), isCertain: true }
