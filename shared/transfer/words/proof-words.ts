import { t } from '../../language/translate.ts'
import type { ProofLack, Verification } from '../transfer.ts'

/** Says what was checked, and why no more was. */
export function describeCheck(verification: Verification, lack: ProofLack | undefined): string {
  if (lack === 'left-alone') return lackWords(lack)
  const words = t(`transfer.check.${verification}`)
  return lack === undefined ? words : t('transfer.check.and-lack', { check: words, lack: lackWords(lack) })
}

/** Why no more was checked, as words that follow a colon. */
export function lackWords(lack: ProofLack): string {
  return t(`transfer.lack.${lack}`)
}
