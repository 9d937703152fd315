import { t } from '../../shared/language/translate.ts'
import { MIN_RATE_LIMIT } from '../../shared/limits.ts'

const MB = 1_000_000
const MOST_LIMIT_BYTES = 1e12

/** Why a limit can't be used. */
export function rateProblem(): string {
  return t('transfer.rate-problem')
}

/** A limit as it is typed, in MB/s; empty: none. Pure. */
export function rateText(bytesPerSecond: number | null): string {
  return bytesPerSecond === null ? '' : String(bytesPerSecond / MB)
}

/** Reads a limit as it is typed; `bytesPerSecond` counts only if it is valid. Pure. */
export function parseRate(text: string): { readonly isValid: boolean; readonly bytesPerSecond: number | null } {
  if (text.trim() === '') return { isValid: true, bytesPerSecond: null }
  const bytesPerSecond = Math.round(Number(text.trim().replace(',', '.')) * MB)
  return { isValid: bytesPerSecond >= MIN_RATE_LIMIT && bytesPerSecond <= MOST_LIMIT_BYTES, bytesPerSecond }
}
