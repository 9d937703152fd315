import { homedir, userInfo } from 'node:os'
import type { FileSystem } from '../core/deps.ts'
import type { NameRules } from './safe-name.ts'

/**
 * Linux's own file systems (statfs(2)): ext2 to ext4, Btrfs, XFS, ZFS, F2FS, bcachefs, JFS, ReiserFS, tmpfs and
 * overlays of them. Which names others can store, or what NFS, SMB and FUSE lead to, is unknown.
 */
const UNIX_TYPES: ReadonlySet<number> = new Set([
  ...[0xef53, 0x9123683e, 0x58465342, 0x2fc12fc1, 0xf2f52010, 0xca451a4e, 0x3153464a, 0x52654973],
  ...[0x01021994, 0x794c7630],
])

/**
 * The longest path, in UTF-16 units, that Windows programs open unless they ask for more: MAX_PATH, 260, includes the
 * terminating null (Maximum Path Length Limitation). File Explorer is one of these programs; Node is not.
 */
const MAX_PATH_CHARS = 259

/** The rules for names in `folder`, which must exist. They are the stricter ones when its file system is unknown. */
export async function nameRulesOf(
  fileSystem: Pick<FileSystem, 'statfs' | 'realpath'>,
  folder: string,
  platform: NodeJS.Platform = process.platform,
): Promise<NameRules> {
  const realPath = (path: string) => fileSystem.realpath(path).catch(() => path)
  const isHome = (await realPath(folder)) === (await realPath(homeFolder() ?? ''))
  if (platform !== 'linux') return { platform, isHome }
  const type = await fileSystem.statfs(folder).then(
    (facts) => facts.type,
    () => 0,
  )
  return { platform, takesUnixNames: UNIX_TYPES.has(type), isHome }
}

/** The person's home folder; null if the system knows none, as for a user whom only a container's settings name. */
export function homeFolder(): string | null {
  try {
    // HOME may be empty.
    return homedir() || userInfo().homedir || null
  } catch {
    return null
  }
}

/** The message about a path (absolute) that most programs of the system can't open; null when they can. */
export function longPathWords(path: string, platform: NodeJS.Platform = process.platform): string | null {
  if (platform !== 'win32' || path.length <= MAX_PATH_CHARS) return null
  return `${path} has ${path.length} characters; File Explorer and many programs can’t open more than ${MAX_PATH_CHARS}`
}
