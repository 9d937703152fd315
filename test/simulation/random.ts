/** A source of chance that a seed determines. */
export interface Random {
  /** 0 ≤ n < 1. */
  next(): number
  /** Whole, 0 ≤ n < `end`. */
  below(end: number): number
  /** `min` ≤ n < `max`. */
  between(min: number, max: number): number
  chance(probability: number): boolean
  pick<T>(items: readonly T[]): T
}

/** The generator sfc32, warmed up. */
export function createRandom(seed: number): Random {
  let a = seed | 0
  let b = Math.floor(seed / 2 ** 32) | 0
  let c = 0x9e3779b9 | 0
  let counter = 1

  function next(): number {
    const sum = (((a + b) | 0) + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = ((c << 21) | (c >>> 11)) + sum
    return (sum >>> 0) / 2 ** 32
  }

  for (let turn = 0; turn < 12; turn += 1) next()
  return {
    next,
    below: (end) => Math.floor(next() * end),
    between: (min, max) => min + next() * (max - min),
    chance: (probability) => next() < probability,
    pick: (items) => items[Math.floor(next() * items.length)] as (typeof items)[number],
  }
}

/** A version 4 UUID from `random`. */
export function randomId(random: Random): string {
  const hex = Array.from({ length: 32 }, () => random.below(16).toString(16)).join('')
  return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20)].join('-')
}
