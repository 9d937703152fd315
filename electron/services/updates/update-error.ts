import type { UpdateProblem } from '../../../shared/ipc/update-status.ts'

/** Switch of a start: the version before could not put a newer one in its place, and says so. */
export const NOT_INSTALLED = '--update-not-installed'

/** A newer version could not be looked for or had; `message` is for the log. */
export class UpdateError extends Error {
  override readonly name = 'UpdateError'
  readonly problem: UpdateProblem

  constructor(problem: UpdateProblem, message: string, cause?: unknown) {
    super(cause instanceof Error ? `${message} (${cause.message})` : message, { cause })
    this.problem = problem
  }
}

/** What to say of an error; `otherwise` where it is of another kind. */
export function problemOf(error: unknown, otherwise: UpdateProblem): UpdateProblem {
  return error instanceof UpdateError ? error.problem : otherwise
}
