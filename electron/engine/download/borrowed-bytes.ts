// Partial files from elsewhere: their bytes are copied, and count only once the whole object is proven.

import { constants } from 'node:fs'
import { rangeLength } from '../../../shared/byte-range.ts'
import { COMMIT_INTERVAL_BYTES } from '../../../shared/limits.ts'
import type { DownloadRecord, RangeRecord } from '../core/records.ts'
import type { RootedContext } from '../core/run.ts'
import { orNull } from '../files/file-errors.ts'
import { mayBeProven } from '../integrity/plan-proof.ts'
import { disjointClaims, recordClaims, type ClaimSet } from '../partial-file/claims.ts'
import { NO_FOLLOW, type PartialFile } from '../partial-file/partial-file.ts'
import { readSidecar } from '../partial-file/sidecar.ts'

/**
 * No hash of the whole object proves the bytes borrowed from a partial file that this user did not write: the file came
 * from another computer or an older version, or somebody put it there. Its bytes are copied, so it is never written to,
 * and count only with such a hash, because whoever writes bytes can choose their CRC-32.
 */
export class BorrowedUnproven extends Error {}

/** Whether some of the download's bytes may be another user’s, until all of it is proven. */
export function isBorrowing({ borrowedFrom }: DownloadRecord): boolean {
  return borrowedFrom !== undefined
}

/** Returns the download without its borrowed bytes if nothing could ever prove them, or their version is unknown. */
export function withoutUselessLoan(context: RootedContext): RootedContext {
  const { record, store } = context
  const { identity, partialPath } = record
  if (!isBorrowing(record) || partialPath !== null) return context
  if (identity !== null && mayBeProven(store, { key: record.key, identity })) return context
  context.report.log('The bytes of the partial file can’t be verified; downloading the object from the start')
  return { ...context, record: { ...record, identity: null, borrowedFrom: undefined } }
}

/** Copies what `claims` lack from the borrowed partial file, where that fits its sidecar, and adds it to them. */
export async function copyBorrowed(context: RootedContext, file: PartialFile, claims: ClaimSet): Promise<void> {
  const { deps, record, report, signal } = context
  const { borrowedFrom } = record
  if (borrowedFrom === undefined) return
  const source = await orNull(deps.fileSystem.open(borrowedFrom, constants.O_RDONLY | NO_FOLLOW)).catch(() => null)
  if (source === null) return
  let copied: RangeRecord[] = []
  let unkeptBytes = 0
  let keptBytes = 0
  const keep = async (): Promise<void> => {
    await file.sync()
    await recordClaims(deps.checkpoints, record.id, claims, copied)
    keptBytes += unkeptBytes
    unkeptBytes = 0
    copied = []
  }
  try {
    const content = await readSidecar(deps.fileSystem, borrowedFrom, deps.sidecarKey).catch(() => null)
    const lacking = content?.written.filter((range) => !claims.overlaps(range)) ?? []
    for (const range of disjointClaims(lacking).claims) {
      signal.throwIfAborted()
      if ((await file.copyFrom(source, borrowedFrom, range)) !== range.crc32) continue
      copied.push(range)
      unkeptBytes += rangeLength(range)
      if (unkeptBytes >= COMMIT_INTERVAL_BYTES) await keep()
    }
    if (copied.length > 0) await keep()
  } finally {
    await source.close()
  }
  report.log(`Copied ${keptBytes} bytes from ${borrowedFrom}, which is left unchanged`)
}
