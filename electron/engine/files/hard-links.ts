// Several names of one file. Imports nothing: threads use it too.

/**
 * What `link` fails with where a file system has no hard links, or none here, so that another way has to be found;
 * EISDIR is libuv's word for it on Windows.
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

/** Whether two names lead to one file; null: nothing has the name. */
export function isSameFile(one: FileNumbers | null | undefined, other: FileNumbers | null | undefined): boolean {
  if (one == null || other == null || !hasNumber(one)) return false
  return one.ino === other.ino && one.dev === other.dev
}

/** Some network drives number no files: all of theirs have 0. */
export function hasNumber({ ino }: FileNumbers): boolean {
  return Number(ino) !== 0
}
