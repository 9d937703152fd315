import type { Environment } from '../connection-options.ts'
import { readGiven } from '../read-given.ts'
import { UsageError } from '../usage-error.ts'

/**
 * Adds the secret key in the file `path` (`-` for standard input) to the environment, without white space around it.
 * Throws UsageError when there is none, and the reason that `signal` is aborted with.
 */
export async function withSecretKey(
  environment: Environment,
  path: string | null,
  signal: AbortSignal,
): Promise<Environment> {
  if (path === null) return environment
  const secret = (await readGiven(path, 'the secret key from ', signal)).trim()
  if (secret === '') throw new UsageError(`There is no secret key in ${path === '-' ? 'standard input' : path}.`)
  return { ...environment, SLUICE_SECRET_KEY: secret }
}
