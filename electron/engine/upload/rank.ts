/** Files of one power of ten come before all of the next one. */
const RANK_OF_A_SIZE = 1e9
/** Parts of one upload come after one another, and before those of all that are behind it in the queue. */
const RANK_OF_A_PART = 1 / 20_000

/**
 * Whose bytes go first over a line, lower ranks first: who waits for little does not wait for much, else the order of
 * the queue, and earlier parts before later ones. `partNumber` 0: a file that is no parts. Pure.
 */
export function uploadRank(sizeBytes: number, position: number, partNumber = 0): number {
  const powerOfTen = Math.floor(Math.log10(Math.max(1, sizeBytes)))
  return powerOfTen * RANK_OF_A_SIZE + position + partNumber * RANK_OF_A_PART
}
