import { rangeLength, type ByteRange } from '../../../shared/byte-range.ts'
import { firstIndex } from '../../../shared/first-index.ts'

/** Sum of the lengths of `ranges` in bytes. */
export function totalLength(ranges: readonly ByteRange[]): number {
  return ranges.reduce((sum, range) => sum + rangeLength(range), 0)
}

/** The ranges of `whole` that `present` leaves open, ascending. `present` is sorted by start; overlaps are fine. */
export function missingRanges(present: readonly ByteRange[], whole: ByteRange): readonly ByteRange[] {
  const missing: ByteRange[] = []
  let position = whole.start
  for (const range of present) {
    if (range.start >= whole.end) break
    if (range.start > position) missing.push({ start: position, end: range.start })
    position = Math.max(position, range.end)
  }
  if (position < whole.end) missing.push({ start: position, end: whole.end })
  return missing
}

/** Index of the first of the sorted, disjoint `ranges` that ends after `position`; their number if none does. */
export function firstEndingAfter(ranges: readonly ByteRange[], position: number): number {
  return firstIndex(0, ranges.length, (index) => (ranges[index]?.end ?? Infinity) > position)
}

/** The same bytes as `ranges`, cut at every multiple of `unitSizeBytes`. */
export function splitAtUnits(ranges: readonly ByteRange[], unitSizeBytes: number): ByteRange[] {
  const cut: ByteRange[] = []
  for (const range of ranges) {
    for (let start = range.start; start < range.end;) {
      const end = Math.min(range.end, (Math.floor(start / unitSizeBytes) + 1) * unitSizeBytes)
      cut.push({ start, end })
      start = end
    }
  }
  return cut
}

/** The same bytes as `ranges`, sorted, with neighbors and overlaps joined. */
export function joined(ranges: readonly ByteRange[]): ByteRange[] {
  const whole: { start: number; end: number }[] = []
  for (const { start, end } of [...ranges].sort((a, b) => a.start - b.start)) {
    const last = whole.at(-1)
    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end)
    else whole.push({ start, end })
  }
  return whole
}
