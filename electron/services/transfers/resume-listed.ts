import type { TransferRow } from '../../../shared/transfer/transfer.ts'
import type { Engine, StoreLocation } from '../../engine/index.ts'
import type { ChosenFile } from './chosen-files.ts'

/** Rows in these states don't move until a person says so or their wait is over. */
const STOPPED = new Set<TransferRow['status']>(['paused', 'failed', 'waiting'])

/**
 * Continues our own unfinished uploads of these files without asking: the engine proves that each file is still the one
 * that was begun. @returns their rows by key, as they were before.
 */
export async function continueListed(
  engine: Pick<Engine, 'snapshot' | 'resume' | 'retry'>,
  { placeId, bucket }: Extract<StoreLocation, { kind: 'place' }>,
  files: readonly ChosenFile[],
): Promise<ReadonlyMap<string, TransferRow>> {
  const paths = new Map(files.map(({ key, sourcePath }) => [key, sourcePath]))
  const rows = engine
    .snapshot()
    .rows.filter(
      (row) =>
        row.direction === 'upload' &&
        row.placeId === placeId &&
        row.bucket === bucket &&
        STOPPED.has(row.status) &&
        paths.get(row.key) === row.localPath,
    )
  const ids = rows.map((row) => row.id)
  await engine.resume(ids)
  await engine.retry(ids)
  return new Map(rows.map((row) => [row.key, row]))
}
