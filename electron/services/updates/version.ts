// Versions of Sluice, such as 1.2.3 and 1.2.3-beta.4, which comes before it.

const VERSION = /^(\d{1,6})\.(\d{1,6})\.(\d{1,6})(?:-beta\.(\d{1,6}))?$/

export function isVersion(text: string): boolean {
  return VERSION.test(text)
}

/** Whether `version` comes after `than`. False when either isn't a version. Pure. */
export function isNewer(version: string, than: string): boolean {
  const [one, other] = [orderOf(version), orderOf(than)]
  if (one === null || other === null) return false
  const at = one.findIndex((number, index) => number !== other[index])
  return at >= 0 && (one[at] ?? 0) > (other[at] ?? 0)
}

/** The numbers to compare versions by. A release comes after all of its betas. */
function orderOf(version: string): readonly number[] | null {
  const match = VERSION.exec(version)
  if (match === null) return null
  const [, major, minor, patch, beta] = match
  return [Number(major), Number(minor), Number(patch), beta === undefined ? Infinity : Number(beta)]
}
