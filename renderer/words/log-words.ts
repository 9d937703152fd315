import { t } from '../../shared/language/translate.ts'
import { milestoneOf } from '../../shared/transfer/milestones.ts'

/** An entry of a transfer's history: milestones in the window's language, technical details as the engine has them. */
export function describeLogEntry(text: string): string {
  const milestone = milestoneOf(text)
  return milestone === null ? text : t(`inspector.log.${milestone}`)
}
