import { dirname, join } from 'node:path'

const SYNCS_AT_A_TIME = 16

/** What syncing takes of the system. */
export interface SyncCalls {
  readonly platform: NodeJS.Platform
  /** Release of the kernel, as `uname -r` prints it. */
  readonly kernel: string
  /** Flushes the whole volume of a path (syncfs); false: it can't be done, or did not work. */
  readonly syncVolume: (path: string) => Promise<boolean>
  /** Flushes a file (`r+`) or a folder (`r`); false: it did not work. */
  readonly syncOne: (path: string, flags: 'r+' | 'r') => Promise<boolean>
  readonly unlink: (path: string) => Promise<void>
}

/**
 * Makes files below `root` and their names durable. @returns the paths of those that are not; they are deleted, because
 * what the disk has of them can't be known.
 */
export async function syncFiles(calls: SyncCalls, root: string, paths: readonly string[]): Promise<readonly string[]> {
  const isFlushed = calls.platform === 'linux' && (await calls.syncVolume(root))
  if (isFlushed && tellsWriteErrors(calls.kernel)) return []
  // After the flush of a volume each of these is quick, and is told what that could not write.
  const lost: string[] = []
  for (let start = 0; start < paths.length; start += SYNCS_AT_A_TIME) {
    const some = paths.slice(start, start + SYNCS_AT_A_TIME)
    const kept = await Promise.all(some.map((path) => calls.syncOne(join(root, path), 'r+')))
    lost.push(...some.filter((_, index) => kept[index] !== true))
  }
  await Promise.all(lost.map((path) => calls.unlink(join(root, path)).catch(() => undefined)))
  // A folder that is new is durable once the one above it is synced, up to the root.
  const folders = new Set(paths.flatMap(foldersAbove))
  // Windows refuses to open a folder; there the names are in the journal of the file system.
  for (const folder of folders) await calls.syncOne(join(root, folder), 'r')
  return lost
}

/** Whether syncfs says that something could not be written: from Linux 5.8 on (syncfs(2)). */
function tellsWriteErrors(kernel: string): boolean {
  const [major = 0, minor = 0] = kernel.split('.', 2).map((part) => Number.parseInt(part, 10))
  return major > 5 || (major === 5 && minor >= 8)
}

/** The folder of a path below the root, and all above that; `.` is the root. */
function foldersAbove(path: string): readonly string[] {
  const folder = dirname(path)
  return folder === '.' ? ['.'] : [folder, ...foldersAbove(folder)]
}
