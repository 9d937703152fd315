// The limits that menus offer, and their names, in the units of the settings.

import { t } from '../language/translate.ts'
import { formatLimit, rateUnit } from './format-amount.ts'

const OFFERED_LIMITS = [1, 5, 10, 25, 50, 100]

/** The limits that menus offer, bytes a second, including the current one if it is another; null: no limit. */
export function offeredLimits(current: number | null): readonly (number | null)[] {
  const { bytes } = rateUnit()
  const limits = new Set([...OFFERED_LIMITS.map((each) => each * bytes), ...(current === null ? [] : [current])])
  return [null, ...[...limits].toSorted((left, right) => left - right)]
}

/** The name of a limit in menus: "Off", "2.5 MB/s". */
export function limitWords(bytesPerSecond: number | null): string {
  return bytesPerSecond === null ? t('transfer.limit-off') : formatLimit(bytesPerSecond)
}
