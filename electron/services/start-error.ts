import type { MessageKey } from '../../shared/language/english.ts'
import { message } from '../../shared/language/message.ts'
import { WordedError } from '../../shared/language/worded-error.ts'
import { CheckpointError, errnoCode, StateUnwritable } from '../engine/index.ts'

/** Puts into words why the state in `folder` could not be opened. Returns any other failure as it is. */
export function startError(failure: unknown, folder: string): unknown {
  const key = keyOf(failure)
  return key === null ? failure : new WordedError(message(key, { folder }))
}

function keyOf(failure: unknown): MessageKey | null {
  if (failure instanceof CheckpointError && failure.code === 'in-use') return 'services.start.in-use'
  if (failure instanceof CheckpointError && failure.code === 'newer-schema') return 'services.start.newer-list'
  const cause = failure instanceof CheckpointError ? failure.cause : failure
  if (StateUnwritable.of(cause, '') !== null) return 'services.start.disk'
  return ['EACCES', 'EPERM'].includes(errnoCode(cause) ?? '') ? 'services.start.forbidden' : null
}
