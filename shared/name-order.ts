const NAMES = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' })

/**
 * Orders names as people do, not as services list them: neither case nor leading zeros matter, and 9 is before 10.
 * Returns 0 for names that differ in nothing else. Pure.
 */
export function compareNames(one: string, other: string): number {
  return NAMES.compare(one, other)
}
