import { rateUnit } from '../../shared/format-amount.ts'
import { t } from '../../shared/language/translate.ts'
import { MIN_RATE_LIMIT } from '../../shared/limits.ts'

const MOST_LIMIT_BYTES = 1e12

/** Why a limit can't be used. */
export function rateProblem(): string {
  return t('transfer.rate-problem')
}

/** A limit as it is typed, in the unit that `rateUnit` names; empty: none. */
export function rateText(bytesPerSecond: number | null): string {
  if (bytesPerSecond === null) return ''
  // What is round in one unit has no end in the other.
  return String(Number((bytesPerSecond / rateUnit().bytes).toPrecision(6)))
}

/**
 * Reads a limit as it is typed; `bytesPerSecond` counts only if it is valid. What `kept` is written as means just that,
 * however it was rounded.
 */
export function parseRate(
  text: string,
  kept: number | null = null,
): { readonly isValid: boolean; readonly bytesPerSecond: number | null } {
  if (text.trim() === rateText(kept)) return { isValid: true, bytesPerSecond: kept }
  if (text.trim() === '') return { isValid: true, bytesPerSecond: null }
  const bytesPerSecond = Math.round(Number(text.trim().replace(',', '.')) * rateUnit().bytes)
  return { isValid: bytesPerSecond >= MIN_RATE_LIMIT && bytesPerSecond <= MOST_LIMIT_BYTES, bytesPerSecond }
}
