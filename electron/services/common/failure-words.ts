import { t } from '../../../shared/language/translate.ts'
import { classify, errnoCode } from '../../engine/index.ts'
import { RequestError } from './request-error.ts'

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
