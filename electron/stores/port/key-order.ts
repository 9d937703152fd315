/** Orders keys by UTF-8 bytes, as listings do; UTF-16 orders alike except above the surrogates. Pure. */
export function compareKeys(one: string, other: string): number {
  if (one === other) return 0
  const isPlain = !/[\ud800-\uffff]/.test(one) && !/[\ud800-\uffff]/.test(other)
  if (isPlain) return one < other ? -1 : 1
  return Buffer.compare(Buffer.from(one), Buffer.from(other))
}
