// Several names for one file. Imports nothing, because worker threads use it, too.

/**
 * What `link` fails with when the file system has no hard links, or allows none here, and another way must be taken.
 * EISDIR is libuv's word for that on Windows.
 */
export const NO_LINK_CODES: ReadonlySet<string> = new Set([
  'EPERM',
  'ENOTSUP',
  'EOPNOTSUPP',
  'ENOSYS',
  'EXDEV',
  'EMLINK',
  'EISDIR',
  'EACCES',
  'EBUSY',
])

/** What tells files of one computer apart. */
interface FileNumbers {
  readonly dev: number | bigint
  readonly ino: number | bigint
}

/** Whether two names lead to the same file. Null stands for a name that nothing has. */
export function isSameFile(one: FileNumbers | null | undefined, other: FileNumbers | null | undefined): boolean {
  if (one == null || other == null || !hasNumber(one)) return false
  return one.ino === other.ino && one.dev === other.dev
}

/** Whether the file has a number. On some network drives none has: all are numbered 0. */
export function hasNumber({ ino }: FileNumbers): boolean {
  return Number(ino) !== 0
}
