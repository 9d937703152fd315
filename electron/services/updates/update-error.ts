import type { UpdateProblem } from '../../../shared/ipc/update-status.ts'

/** Command-line switch for a start after an update could not be installed, so that the app says so. */
export const NOT_INSTALLED = '--update-not-installed'

/** A newer version could not be looked for, downloaded or installed; `message` is for the log. */
export class UpdateError extends Error {
  override readonly name = 'UpdateError'
  readonly problem: UpdateProblem

  constructor(problem: UpdateProblem, message: string, cause?: unknown) {
    super(cause instanceof Error ? `${message} (${cause.message})` : message, { cause })
    this.problem = problem
  }
}

/** The problem to show for an error; `otherwise` unless it is an UpdateError. */
export function problemOf(error: unknown, otherwise: UpdateProblem): UpdateProblem {
  return error instanceof UpdateError ? error.problem : otherwise
}
