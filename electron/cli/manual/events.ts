/** What commands print with --json: names of events, and what each says. */
export const EVENTS = [
  [
    'done',
    'a file, object or folder is there: direction, key, path, sizeBytes, etag, and as verification what was compared: etag-md5, etag-multipart, digest, crc, evidence, size-only or unproven',
  ],
  ['failed', 'why the command failed, always the last line: code, message, requestId'],
  ['progress', 'at most twice a second: transfers, confirmedBytes, sizeBytes, bytesPerSecond, etaSeconds'],
  ['waiting', 'why nothing moves: code, reason, message, host, httpStatus, attempt, nextTryAt'],
  ['plan', 'a folder has been counted: key, path, objects, sizeBytes'],
  ['not-uploaded, not-downloaded', 'one of several failed: key or source, code, message, requestId'],
  ['left-out', 'a file of a folder is not uploaded: path, reason'],
  ['renamed', 'an object is saved under another name: key, path'],
  ['long-path', 'a path is too long for many programs on Windows: path'],
  ['finishing, dropped', 'after Ctrl+C: how many parts may still finish (units), and what was given up (bytes)'],
  ['aborted, not-discarded', 'an unfinished upload was discarded, or could not be: key, uploadId'],
  ['list-damaged', 'what the command continues from was damaged: transfers, isWhole'],
  ['moved-aside', 'serve has moved files that its journal doesn’t list: path'],
  ['report', 'what sluice report found'],
] as const
