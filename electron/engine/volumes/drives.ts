import { parse, sep } from 'node:path'
import type { TransferRecord } from '../core/records.ts'

/** Drives are mounted at this depth at most, as in `/media/<user>`, or share what lies above. */
const DRIVE_DEPTH = 2

/** Where the files of a transfer are: with different ones they are on different drives, as far as paths tell. Pure. */
export function drivesOf(record: TransferRecord): ReadonlySet<string> {
  switch (record.direction) {
    case 'upload':
      return new Set([driveOf(record.sourcePath)])
    case 'upload-folder':
      return new Set(record.sourcePaths.map(driveOf))
    case 'download':
    case 'folder':
      return new Set([driveOf(record.targetPath)])
  }
}

/** The drive that has a file or folder, as far as its path tells. Pure. */
export function driveOf(path: string): string {
  const { root } = parse(path)
  return root === sep ? path.split(sep, DRIVE_DEPTH + 1).join(sep) : root
}
