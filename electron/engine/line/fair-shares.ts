/** Shares `total` out as evenly as wishes allow; everybody gets at least 1. Pure. */
export function fairShares(total: number, wanted: readonly number[]): readonly number[] {
  const shares = wanted.map(() => 1)
  for (let left = total - shares.length; left > 0; left -= 1) {
    let least = -1
    for (const [index, share] of shares.entries()) {
      if (share < (wanted[index] ?? 0) && (least === -1 || share < (shares[least] ?? 0))) least = index
    }
    // None wants more: the rest is left over, but a lone one may find that it does.
    if (least === -1) return shares.length === 1 ? [total] : shares
    shares[least] = (shares[least] ?? 0) + 1
  }
  return shares
}
