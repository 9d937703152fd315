import type { Environment } from '../connection-options.ts'
import { readGiven } from '../read-given.ts'
import { UsageError } from '../usage-error.ts'

/**
 * The environment with the secret key that `path` holds, `-` for standard input; without white space around it. Throws
 * UsageError where there is none, and what `signal` is aborted with.
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
