import { basename, join } from 'node:path'
import type { UploadFolderRecord } from './records.ts'

/**
 * Where a file of a folder upload is on this computer, by its name in the plan; null if nothing that is uploaded has
 * the first segment as its name. That segment is composed (NFC) on volumes that take both forms for one
 * (`composedName`); the name on the disk may not be. Pure.
 */
export function sourcePathOf({ sourcePaths }: Pick<UploadFolderRecord, 'sourcePaths'>, name: string): string | null {
  const [root = '', ...below] = name.split('/')
  const source =
    sourcePaths.find((path) => basename(path) === root) ??
    sourcePaths.find((path) => basename(path).normalize('NFC') === root)
  return source === undefined ? null : join(source, ...below)
}
