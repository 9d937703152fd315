import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import type { Environment } from './connection-options.ts'
import { UsageError } from './usage-error.ts'

/**
 * The environment with the secret key that `path` holds, `-` for standard input; without white space around it. Throws
 * UsageError where there is none.
 */
export async function withSecretKey(environment: Environment, path: string | null): Promise<Environment> {
  if (path === null) return environment
  const content = await (path === '-' ? text(process.stdin) : readFile(path, 'utf8')).catch((failure: unknown) => {
    throw new UsageError(`Can’t read the secret key from ${path}: ${failure instanceof Error ? failure.message : ''}`)
  })
  const secret = content.trim()
  if (secret === '') throw new UsageError(`There is no secret key in ${path === '-' ? 'standard input' : path}.`)
  return { ...environment, SLUICE_SECRET_KEY: secret }
}
