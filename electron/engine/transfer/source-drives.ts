import { parse, sep } from 'node:path'
import type { TransferRecord } from '../core/records.ts'

/** Drives are mounted at this depth at most, as in `/media/<user>`, or share what lies above. */
const DRIVE_DEPTH = 2

/** Where what is uploaded lies: with different ones it is on different drives, as far as its paths tell. Pure. */
export function sourceDrivesOf(record: TransferRecord): ReadonlySet<string> {
  switch (record.direction) {
    case 'upload':
      return new Set([driveOf(record.sourcePath)])
    case 'upload-folder':
      return new Set(record.sourcePaths.map(driveOf))
    default:
      return new Set()
  }
}

function driveOf(path: string): string {
  const { root } = parse(path)
  return root === sep ? path.split(sep, DRIVE_DEPTH + 1).join(sep) : root
}
