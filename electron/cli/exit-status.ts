import { describeError } from '../../shared/error-words.ts'
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
