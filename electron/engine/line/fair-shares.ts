/** Shares `total` out as evenly as the wanted numbers allow; everyone gets at least 1. Pure. */
export function fairShares(total: number, wanted: readonly number[]): readonly number[] {
  const shares = wanted.map(() => 1)
  for (let left = total - shares.length; left > 0; left -= 1) {
    let least = -1
    for (const [index, share] of shares.entries()) {
      if (share < (wanted[index] ?? 0) && (least === -1 || share < (shares[least] ?? 0))) least = index
    }
    // Nobody wants more, so the rest is left over; a lone member gets it all, as it may want more later.
    if (least === -1) return shares.length === 1 ? [total] : shares
    shares[least] = (shares[least] ?? 0) + 1
  }
  return shares
}
