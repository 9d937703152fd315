import { describeError } from '../../shared/error-words.ts'
import { classify } from '../engine/index.ts'
import type { TransferErrorCode, TransferErrorInfo } from '../../shared/transfer-error.ts'

/**
 * What the process ends with. 0: the file or object is there now and equals its origin now. 1: it needs a person.
 * 2: wrong usage. 3: stopped, and the same command goes on where it stopped.
 */
export const EXIT = { done: 0, needsPerson: 1, usage: 2, canContinue: 3 } as const

export type ExitStatus = (typeof EXIT)[keyof typeof EXIT]

const CONTINUABLE = new Set<TransferErrorCode>(['gave-up-waiting', 'disk-full'])

export function exitStatusOf(error: TransferErrorInfo): ExitStatus {
  return CONTINUABLE.has(error.code) ? EXIT.canContinue : EXIT.needsPerson
}

/** Ends a command with a sentence, a stable code and an exit status. */
export class CommandError extends Error {
  readonly code: string
  readonly exitStatus: ExitStatus
  readonly requestId: string | null

  constructor(
    code: string,
    message: string,
    exitStatus: ExitStatus = EXIT.needsPerson,
    requestId: string | null = null,
  ) {
    super(message)
    this.name = 'CommandError'
    this.code = code
    this.exitStatus = exitStatus
    this.requestId = requestId
  }
}

/** A failed transfer as the command's end, in the words of the catalogue plus the service's code for the curious. */
export function commandErrorOf(
  error: TransferErrorInfo,
  subject: { readonly name: string; readonly bucket: string; readonly localPath: string },
): CommandError {
  const { sentence } = describeError(error, { ...subject, placeName: 'The service' })
  const detail = error.serviceCode === null ? '' : ` (${error.serviceCode})`
  return new CommandError(error.code, `${sentence}${detail}`, exitStatusOf(error), error.requestId)
}

/** Anything a command threw. A transient failure can be tried again: the same command goes on. */
export function commandErrorOfFailure(failure: unknown): CommandError {
  if (failure instanceof CommandError) return failure
  const verdict = classify(failure)
  if (verdict.kind === 'wait') {
    const detail = failure instanceof Error ? failure.message : String(failure)
    return new CommandError('gave-up-waiting', `The server did not answer: ${detail}`, EXIT.canContinue)
  }
  const { info } = verdict.error
  if (info.code === 'internal') return new CommandError('internal', info.detail)
  return commandErrorOf(info, { name: '', bucket: '', localPath: '' })
}
