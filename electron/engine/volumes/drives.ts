import { parse, sep } from 'node:path'
import type { TransferRecord } from '../core/records.ts'

/** Paths are compared down to this depth, as in `/media/<user>`: drives mounted deeper count as one. */
const DRIVE_DEPTH = 2

/** The drives that hold the files of a transfer, as far as paths tell. Pure. */
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

/** The drive that holds a file or folder, as far as its path tells. Pure. */
export function driveOf(path: string): string {
  const { root } = parse(path)
  return root === sep ? path.split(sep, DRIVE_DEPTH + 1).join(sep) : root
}
