import type { IpcError } from '../../../shared/ipc/ipc-contract.ts'
import { message } from '../../../shared/language/message.ts'
import { refusalWords, type Refusal } from '../../../shared/transfer/error-words.ts'
import { classify, errnoCode } from '../../engine/index.ts'

/** A refusal that is meant for the person: it is shown as it is, so it holds no secret and no stack. */
export class RequestError extends Error {
  readonly code: IpcError['code']
  readonly refusal: Refusal

  constructor(refusal: Refusal, code: IpcError['code'] = 'failed') {
    super()
    this.name = 'RequestError'
    this.code = code
    this.refusal = refusal
  }

  /** In the language of now. */
  override get message(): string {
    return refusalWords(this.refusal)
  }
}

/** What a person is told of what they asked for and didn't come about. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof RequestError) return error.refusal
  const verdict = classify(error)
  if (verdict.kind === 'wait' && verdict.reason === 'disk-full') return message('services.request.disk-full')
  const code = errnoCode(error) ?? ''
  // Codes of Node, of ours and of services look otherwise.
  const isOfSystem = /^E[A-Z0-9]+$/.test(code)
  return isOfSystem ? message('services.request.refused-by-system', { code }) : message('services.request.our-bug')
}
