/**
 * `in-use`: another process holds this database. `newer-schema`: a newer version wrote it, so it is left untouched.
 * `unusable`: it can't be opened or created.
 */
export type CheckpointErrorCode = 'in-use' | 'newer-schema' | 'unusable'

/** Why the checkpoint store could not be opened. The message is a sentence for people. */
export class CheckpointError extends Error {
  readonly code: CheckpointErrorCode

  constructor(code: CheckpointErrorCode, message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'CheckpointError'
    this.code = code
  }
}
