/** Bytes `start` (included) to `end` (excluded). Only HTTP headers use inclusive ends. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/** Length of a range in bytes. */
export function rangeLength(range: ByteRange): number {
  return range.end - range.start
}
