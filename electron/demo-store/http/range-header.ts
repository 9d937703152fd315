import type { ByteRange } from '../../../shared/byte-range.ts'

/**
 * Returns the range to answer with 206, or null to answer 200 with the whole object: without a header, for a form other
 * than one `bytes=a-b`, `bytes=a-` or `bytes=-n`, and for a range outside the object (docs/dialect.md, Semantics).
 */
export function parseRangeHeader(header: string | undefined, sizeBytes: number): ByteRange | null {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header ?? '')
  const [first, last] = [match?.[1] ?? '', match?.[2] ?? '']
  if (first === '' && last === '') return null
  const start = first === '' ? Math.max(0, sizeBytes - Number(last)) : Number(first)
  const end = first === '' || last === '' ? sizeBytes : Math.min(sizeBytes, Number(last) + 1)
  return start < end ? { start, end } : null
}
