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

/** Adds to a failure how to speak the service's own dialect, if that may be what is wrong. Returns other failures as they are. */
export async function withDialectHint(
  failure: unknown,
  { otherDialect }: Pick<CommandConnection, 'otherDialect'>,
  signal: AbortSignal,
): Promise<unknown> {
  const { code, message, exitStatus, requestId, dispute } = commandErrorOfFailure(failure, signal)
  if (!FOREIGN.has(code)) return failure
  const other = await otherDialect(AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]))
  if (other === null) return failure
  const service = other === 's3' ? 'This service speaks S3' : 'This service speaks the storage dialect'
  return new CommandError(code, `${message} ${service}: give --dialect ${other}.`, exitStatus, requestId, dispute)
}
