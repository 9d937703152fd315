import { mkdir, open, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)
const BLOCK = Buffer.alloc(1024 * 1024)

/** A volume that others can fill. */
export interface SmallVolume {
  readonly path: string
  /** Takes all that is free, until `free`. */
  fill(): Promise<void>
  free(): Promise<void>
  /** It holds so many files and folders from now on. */
  holdFiles(mostFiles: number): Promise<void>
  /** No file on it is open for writing meanwhile. */
  setReadOnly(isReadOnly: boolean): Promise<void>
  /** Takes it away. */
  close(): Promise<void>
}

/** Mounts one of so many bytes in memory. Null where that is not allowed: it takes Linux and root. */
export async function mountSmallVolume(path: string, sizeBytes: number): Promise<SmallVolume | null> {
  await mkdir(path, { recursive: true })
  const isMounted = await run('mount', ['-t', 'tmpfs', '-o', `size=${sizeBytes}`, 'tmpfs', path]).then(
    () => true,
    () => false,
  )
  if (!isMounted) return null
  const ballast = join(path, 'ballast')
  return {
    path,
    async fill() {
      const file = await open(ballast, 'a')
      try {
        while ((await statfs(path)).bavail > 0) await file.write(BLOCK)
      } catch {
        // Full.
      } finally {
        await file.close()
      }
    },
    free: () => rm(ballast, { force: true }),
    holdFiles: async (mostFiles) => void (await run('mount', ['-o', `remount,nr_inodes=${mostFiles}`, path])),
    setReadOnly: async (isReadOnly) => void (await run('mount', ['-o', `remount,${isReadOnly ? 'ro' : 'rw'}`, path])),
    close: async () => void (await run('umount', ['--lazy', path])),
  }
}
