import type { StoreDialect } from '../../shared/place/place.ts'
import { CommandError, commandErrorOfFailure } from './command-error.ts'
import type { CommandConnection } from './connection.ts'

/** What requests in a dialect that a service doesn't speak may end with. */
const FOREIGN: ReadonlySet<string> = new Set([
  'access-denied',
  'answer-unreadable',
  'feature-unavailable',
  'invalid-argument',
  'key-not-accepted',
  'no-such-bucket',
  'no-such-key',
  'refused-by-server',
])
/** The command has failed, so nobody should wait long to learn why (milliseconds). */
const PATIENCE_MS = 3000

const OTHER_DIALECT: Readonly<Record<StoreDialect, string>> = {
  s3: 'This service speaks S3: give --dialect s3.',
  storage: 'This service speaks the storage dialect: give --dialect storage.',
}
const NO_KEY: Readonly<Record<StoreDialect, string>> = {
  s3: 'No key was given: give --profile, or --access-key and --secret-key-file.',
  storage: 'No key was given: give --access-key and --secret-key-file.',
}

/** Adds to a failure which option may be missing, if that may be what is wrong. Returns other failures as they are. */
export async function withHint(failure: unknown, connection: CommandConnection, signal: AbortSignal): Promise<unknown> {
  const { code, message, exitStatus, requestId, dispute } = commandErrorOfFailure(failure, signal)
  const hint = FOREIGN.has(code) ? await hintAt(code, connection, signal) : null
  return hint === null ? failure : new CommandError(code, `${message} ${hint}`, exitStatus, requestId, dispute)
}

async function hintAt(code: string, connection: CommandConnection, signal: AbortSignal): Promise<string | null> {
  const { dialect, isAnonymous } = connection
  const other = await connection.otherDialect(AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]))
  if (other !== null) return OTHER_DIALECT[other]
  return code === 'access-denied' && isAnonymous ? NO_KEY[dialect] : null
}
