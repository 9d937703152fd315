/**
 * What `link` fails with where a file system has no hard links, or none here, so that another way has to be found;
 * EISDIR is libuv's word for it on Windows. Imports nothing: a thread uses it too.
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
