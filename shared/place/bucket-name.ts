/** What typing on can't mend in the name of a new bucket. */
export type BucketNameFault = 'characters' | 'start' | 'long' | 'dots' | 'address' | 'reserved'

const SHORTEST = 3
const LONGEST = 63
const RESERVED_STARTS = ['xn--', 'sthree-', 'amzn-s3-demo-'] as const
const RESERVED_ENDS = ['-s3alias', '--ol-s3', '.mrap', '--x-s3', '--table-s3'] as const

/**
 * What is wrong with the name of a new bucket, whatever comes after what is typed; null: nothing so far. By the naming
 * rules for general purpose buckets in Amazon's user guide, which other services of its API share. Pure.
 */
export function bucketNameFault(name: string): BucketNameFault | null {
  if (!/^[a-z0-9.-]*$/.test(name)) return 'characters'
  if (/^[.-]/.test(name)) return 'start'
  if (name.length > LONGEST) return 'long'
  if (name.includes('..')) return 'dots'
  if (/^\d{1,3}(\.\d{1,3}){3}$/.test(name)) return 'address'
  return reservedIn(name) === null ? null : 'reserved'
}

/** The beginning or end of a name that Amazon keeps for itself; null: it has none. Pure. */
export function reservedIn(name: string): string | null {
  const start = RESERVED_STARTS.find((reserved) => name.startsWith(reserved))
  return start ?? RESERVED_ENDS.find((reserved) => name.endsWith(reserved)) ?? null
}

/** Whether a new bucket can have this name. Pure. */
export function isBucketName(name: string): boolean {
  return bucketNameFault(name) === null && name.length >= SHORTEST && /[a-z0-9]$/.test(name)
}
