import type { IpcError } from '../../../shared/ipc/ipc-contract.ts'
import { t } from '../../../shared/language/translate.ts'
import { classify, errnoCode } from '../../engine/index.ts'

/** A refusal that is meant for the person: `message` is shown as it is, so it holds no secret and no stack. */
export class RequestError extends Error {
  readonly code: IpcError['code']

  constructor(message: string, code: IpcError['code'] = 'failed') {
    super(message)
    this.name = 'RequestError'
    this.code = code
  }
}

/** What a person is told of what they asked for and didn't come about. */
export function failureWords(error: unknown): string {
  if (error instanceof RequestError) return error.message
  const verdict = classify(error)
  if (verdict.kind === 'wait' && verdict.reason === 'disk-full') return t('services.request.disk-full')
  const code = errnoCode(error) ?? ''
  // Codes of Node, of ours and of services look otherwise.
  const isOfSystem = /^E[A-Z0-9]+$/.test(code)
  return isOfSystem ? t('services.request.refused-by-system', { code }) : t('services.request.our-bug')
}
