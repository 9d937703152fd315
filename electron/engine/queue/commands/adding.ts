// Commands that add transfers to the list.

import type { TransferId } from '../../../../shared/transfer/transfer.ts'
import { batches } from '../../async/batches.ts'
import { adoptMatch, downloadRecord, folderRecord, uploadFolderRecord, uploadRecord } from '../../core/new-records.ts'
import type { TransferRecord } from '../../core/records.ts'
import type { Adding, DownloadRequest, FolderRequest, UploadFolderRequest, UploadRequest } from '../../core/requests.ts'
import { adoptedRecord, AdoptionRefused, inspectPartial, mayTakeOver } from '../../partial-file/adopt-partial.ts'
import { findProgress, hasProgress, type TransferEntry } from '../../transfer/transfer-entry.ts'
import { measureSources } from '../rows/source-sizes.ts'
import type { CommandParts } from './command-parts.ts'

/** Adds uploads. One that continues an unfinished upload starts with the parts that are there. */
export async function addUploads(
  parts: CommandParts,
  requests: readonly UploadRequest[],
  adding?: Adding,
): Promise<readonly TransferId[]> {
  const records = requests.map((request) => uploadRecord(request, newRecordFacts(parts, adding)))
  await recordAdopted(parts, requests, records)
  parts.deps.openUploads?.expect(requests)
  const entries = await addRecords(parts, records)
  measure(parts, entries)
  return entries.map((entry) => entry.id)
}

export async function addDownloads(
  parts: CommandParts,
  requests: readonly DownloadRequest[],
  adding?: Adding,
): Promise<readonly TransferId[]> {
  const records = requests.map((request) => downloadRecord(request, newRecordFacts(parts, adding)))
  return (await addRecords(parts, records)).map((entry) => entry.id)
}

export async function addFolder(parts: CommandParts, request: FolderRequest, adding?: Adding): Promise<TransferId> {
  const record = folderRecord(request, newRecordFacts(parts, adding))
  await addRecords(parts, [record])
  return record.id
}

export async function addUploadFolder(
  parts: CommandParts,
  request: UploadFolderRequest,
  adding?: Adding,
): Promise<TransferId> {
  const record = uploadFolderRecord(request, newRecordFacts(parts, adding))
  await addRecords(parts, [record])
  return record.id
}

/** Adds a download that continues a partial file that no row has. Throws AdoptionRefused. */
export async function addPartial(parts: CommandParts, path: string, request: DownloadRequest): Promise<TransferId> {
  const { deps, queue, closing } = parts
  const found = await inspectPartial(deps, path)
  const isOf = (record: TransferRecord): boolean =>
    record.direction === 'download' && [record.partialPath, record.borrowedFrom].includes(found.partialPath)
  const listed = queue.entriesOf('all').find(({ record }) => isOf(record))
  if (listed !== undefined) {
    throw new AdoptionRefused('in-list', `${found.partialPath} belongs to a download in the list.`, listed.id)
  }
  const isTakenOver = await mayTakeOver(deps.hasher, found, closing)
  const record = adoptedRecord(found, isTakenOver, request, newRecordFacts(parts))
  await addRecords(parts, [record])
  return record.id
}

/** Makes records durable and adds rows with what is already there. The first start while the rest is written. */
export async function addRecords(
  { deps, queue, pool }: CommandParts,
  records: readonly TransferRecord[],
): Promise<readonly TransferEntry[]> {
  const entries: TransferEntry[] = []
  for (const some of batches(records)) {
    const found = new Map(
      await Promise.all(
        some
          .filter(hasProgress)
          .map(async (record) => [record.id, await findProgress(record, deps.checkpoints)] as const),
      ),
    )
    await deps.checkpoints.insert(some)
    entries.push(...some.map((record) => queue.add(record, found.get(record.id) ?? null)))
    pool.pump()
  }
  return entries
}

/** Finds out how large the files of uploads are, in the background. */
export function measure({ deps, queue, closing }: CommandParts, entries: readonly TransferEntry[]): void {
  void measureSources(entries, deps.fileSystem, closing, (entry) => queue.touch(entry))
}

/**
 * Records the parts of adopted uploads before their transfers: parts alone mean nothing, but a transfer starts at once.
 * Withdraws a pending abort, because the upload is wanted again.
 */
async function recordAdopted(
  { deps, aborts }: CommandParts,
  requests: readonly UploadRequest[],
  records: readonly TransferRecord[],
): Promise<void> {
  for (const [index, { adopt, completes }] of requests.entries()) {
    const record = records[index]
    const parts = adopt === undefined ? completes?.parts : adoptMatch(adopt).parts
    if (parts === undefined || record === undefined) continue
    if (adopt !== undefined) await aborts.withdraw(adopt.uploadId)
    await deps.checkpoints.putParts(record.id, parts)
  }
}

function newRecordFacts(
  { deps, queue, options }: CommandParts,
  { isPaused = options().addsPaused === true }: Adding = {},
) {
  return {
    id: deps.uuid(),
    position: queue.nextPosition(),
    createdAtMs: deps.clock.nowMs(),
    ...(isPaused ? { status: 'paused' as const } : {}),
  }
}
