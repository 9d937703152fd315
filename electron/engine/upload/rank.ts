/** All files of one power of ten come before those of the next. */
const RANK_OF_A_SIZE = 1e9
/** Parts of one upload come one after another, ahead of everything behind it in the queue. */
const RANK_OF_A_PART = 1 / 20_000

/**
 * Tells whose bytes go first over a line; lower ranks go first. Small files don't wait for large ones; otherwise the
 * queue decides, and earlier parts go before later ones. `partNumber` 0: a file that is sent whole. Pure.
 */
export function uploadRank(sizeBytes: number, position: number, partNumber = 0): number {
  const powerOfTen = Math.floor(Math.log10(Math.max(1, sizeBytes)))
  return powerOfTen * RANK_OF_A_SIZE + position + partNumber * RANK_OF_A_PART
}
