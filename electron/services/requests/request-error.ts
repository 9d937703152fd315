import type { IpcError } from '../../../shared/ipc/ipc-contract.ts'
import { message } from '../../../shared/language/message.ts'
import { refusalWords, type Refusal } from '../../../shared/transfer/words/error-words.ts'
import { classify, errnoCode } from '../../engine/index.ts'

/** A refusal meant for the person. It is shown as it is, so it must hold no secret and no stack. */
export class RequestError extends Error {
  readonly code: IpcError['code']
  readonly refusal: Refusal

  constructor(refusal: Refusal, code: IpcError['code'] = 'failed') {
    super()
    this.name = 'RequestError'
    this.code = code
    this.refusal = refusal
  }

  /** In the current language. */
  override get message(): string {
    return refusalWords(this.refusal)
  }
}

/** What to tell a person whose request failed with `error`. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof RequestError) return error.refusal
  const verdict = classify(error)
  if (verdict.kind === 'wait' && verdict.reason === 'disk-full') return message('services.request.disk-full')
  if (verdict.kind === 'wait' && verdict.reason === 'state-unwritable') return message('services.request.not-saved')
  const code = errnoCode(error) ?? ''
  // Node's codes, our own and those of services look different.
  const isOfSystem = /^E[A-Z0-9]+$/.test(code)
  return isOfSystem ? message('services.request.refused-by-system', { code }) : message('services.request.our-bug')
}
