import { t } from '../../shared/language/translate.ts'
import { milestoneOf } from '../../shared/transfer/milestones.ts'

/** An entry of a transfer's history: its course in the window's language, technical detail as the engine wrote it. */
export function describeLogEntry(text: string): string {
  const milestone = milestoneOf(text)
  return milestone === null ? text : t(`inspector.log.${milestone}`)
}
