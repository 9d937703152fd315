import { dirname, join } from 'node:path'

const SYNCS_AT_A_TIME = 16

/** What syncing needs from the system. */
export interface SyncCalls {
  readonly platform: NodeJS.Platform
  /** Release of the kernel, as `uname -r` prints it. */
  readonly kernel: string
  /** Flushes the whole volume of a path (syncfs). Returns false when that is impossible or failed. */
  readonly syncVolume: (path: string) => Promise<boolean>
  /** Flushes a file (`r+`) or a folder (`r`). Returns false when that failed. */
  readonly syncOne: (path: string, flags: 'r+' | 'r') => Promise<boolean>
  readonly unlink: (path: string) => Promise<void>
}

/**
 * Makes files below `root` and their names durable. @returns the paths of those that could not be; they are deleted,
 * because nothing tells what the disk has of them.
 */
export async function syncFiles(calls: SyncCalls, root: string, paths: readonly string[]): Promise<readonly string[]> {
  const isFlushed = calls.platform === 'linux' && (await calls.syncVolume(root))
  if (isFlushed && tellsWriteErrors(calls.kernel)) return []
  // After the volume is flushed, each of these is quick, and reports what the flush could not write.
  const lost: string[] = []
  for (let start = 0; start < paths.length; start += SYNCS_AT_A_TIME) {
    const some = paths.slice(start, start + SYNCS_AT_A_TIME)
    const kept = await Promise.all(some.map((path) => calls.syncOne(join(root, path), 'r+')))
    lost.push(...some.filter((_, index) => kept[index] !== true))
  }
  await Promise.all(lost.map((path) => calls.unlink(join(root, path)).catch(() => undefined)))
  // A new folder is durable once the one above it is synced, up to the root.
  const folders = new Set(paths.flatMap(foldersAbove))
  // Windows refuses to open a folder, but there the file system's journal keeps the names.
  for (const folder of folders) await calls.syncOne(join(root, folder), 'r')
  return lost
}

/** Whether syncfs reports what could not be written, as it does since Linux 5.8 (syncfs(2)). */
function tellsWriteErrors(kernel: string): boolean {
  const [major = 0, minor = 0] = kernel.split('.', 2).map((part) => Number.parseInt(part, 10))
  return major > 5 || (major === 5 && minor >= 8)
}

/** The folder of a path below the root, and all folders above it; `.` is the root. */
function foldersAbove(path: string): readonly string[] {
  const folder = dirname(path)
  return folder === '.' ? ['.'] : [folder, ...foldersAbove(folder)]
}
