import type { SqlValue } from '../../../sqlite/connection.ts'
import type { TransferId } from '../../../../shared/transfer/transfer.ts'
import type { CheckpointStore } from '../../core/checkpoint-store.ts'
import type { CommitQueue } from '../database/commit-queue.ts'
import { readText, type Database } from '../database/database.ts'
import { run, statementsOf } from '../database/statements.ts'
import { readableParts, readableRanges } from './record-codec.ts'

const SELECT_PARTS = `SELECT part_number AS partNumber, size_bytes AS sizeBytes, ${readText('etag')},
  ${readText('md5')} FROM parts
  WHERE transfer_id = ? ORDER BY part_number`
const SELECT_RANGES = `SELECT start_byte AS start, end_byte AS "end", crc32 FROM ranges
  WHERE transfer_id = ? ORDER BY start_byte`
const DELETE_PART = 'DELETE FROM parts WHERE transfer_id = ? AND part_number = ?'
const DELETE_RANGE = 'DELETE FROM ranges WHERE transfer_id = ? AND start_byte = ?'

/** The parts of uploads and the ranges of downloads. */
export function claimTables(
  database: Database,
  queue: CommitQueue,
): Pick<CheckpointStore, 'parts' | 'putParts' | 'removeParts' | 'ranges' | 'putRanges' | 'removeRanges'> {
  const { read, write } = statementsOf(database, queue)
  return {
    async parts(id) {
      return readableParts(await read(SELECT_PARTS, id))
    },
    putParts: (id, parts) =>
      queue.transact(() =>
        run(
          database,
          'INSERT OR REPLACE INTO parts VALUES (?, ?, ?, ?, ?)',
          parts.map((part) => [id, part.partNumber, part.sizeBytes, part.etag, part.md5]),
        ),
      ),
    removeParts: (id, partNumbers) =>
      partNumbers === 'all'
        ? write('DELETE FROM parts WHERE transfer_id = ?', id)
        : queue.transact(() => run(database, DELETE_PART, pairs(id, partNumbers))),
    async ranges(id) {
      return readableRanges(await read(SELECT_RANGES, id))
    },
    putRanges: (id, ranges) =>
      queue.transact(() =>
        run(
          database,
          'INSERT OR REPLACE INTO ranges VALUES (?, ?, ?, ?)',
          ranges.map((range) => [id, range.start, range.end, range.crc32]),
        ),
      ),
    removeRanges: (id, starts) =>
      starts === 'all'
        ? write('DELETE FROM ranges WHERE transfer_id = ?', id)
        : queue.transact(() => run(database, DELETE_RANGE, pairs(id, starts))),
  }
}

function pairs(id: TransferId, numbers: readonly number[]): SqlValue[][] {
  return numbers.map((number) => [id, number])
}
