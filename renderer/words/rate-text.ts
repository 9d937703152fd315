import { rateUnit } from '../../shared/format/format-amount.ts'
import { t } from '../../shared/language/translate.ts'
import { MIN_RATE_LIMIT } from '../../shared/limits.ts'

const MOST_LIMIT_BYTES = 1e12

/** Why a limit can't be used: the range, in the unit in which limits are typed. Both ends of it can be typed. */
export function rateProblem(): string {
  const { name: unit, bytes } = rateUnit()
  const least = Math.ceil((MIN_RATE_LIMIT / bytes) * 1000) / 1000
  return t('transfer.rate-problem', { unit, least, most: Math.floor(MOST_LIMIT_BYTES / bytes) })
}

/** A limit as it would be typed, in the unit that `rateUnit` names; empty: no limit. */
export function rateText(bytesPerSecond: number | null): string {
  if (bytesPerSecond === null) return ''
  // A round number in one unit has many digits in the other.
  return String(Number((bytesPerSecond / rateUnit().bytes).toPrecision(6)))
}

/**
 * Reads a typed limit; `bytesPerSecond` is meaningful only if it is valid. The text that `kept` is displayed as means
 * exactly `kept`, however it was rounded.
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
