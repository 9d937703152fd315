import { t } from '../language/translate.ts'
import type { ProofLack } from './transfer.ts'

/** Why no more than the size was checked, as what follows a colon. */
export function lackWords(lack: ProofLack): string {
  return t(`transfer.lack.${lack}`)
}
