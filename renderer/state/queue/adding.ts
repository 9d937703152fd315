// Tracks when rows are being added: rows that arrive in that time belong together, however far apart they arrive.

/** A period in which rows were added, epoch milliseconds. */
export interface Adding {
  readonly beganAtMs: number
  /** Infinity while it goes on. */
  readonly endedAtMs: number
}

let latest: Adding = { beganAtMs: -Infinity, endedAtMs: -Infinity }
let underWay = 0

/** The latest period; overlapping ones count as one. */
export function latestAdding(): Adding {
  return latest
}

/** Runs `add`, which adds rows in as many requests as it takes. Throws what `add` throws. */
export async function addTogether<Result>(add: () => Promise<Result>): Promise<Result> {
  underWay += 1
  if (underWay === 1) latest = { beganAtMs: Date.now(), endedAtMs: Infinity }
  try {
    return await add()
  } finally {
    underWay -= 1
    if (underWay === 0) latest = { ...latest, endedAtMs: Date.now() }
  }
}
