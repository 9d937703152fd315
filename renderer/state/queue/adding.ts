// When something adds rows: what comes meanwhile was added together, however far apart it comes.

/** A time in which rows were added, epoch milliseconds. */
export interface Adding {
  readonly beganAtMs: number
  /** Infinity: it goes on. */
  readonly endedAtMs: number
}

let latest: Adding = { beganAtMs: -Infinity, endedAtMs: -Infinity }
let underWay = 0

/** The latest one; several at once are one. */
export function latestAdding(): Adding {
  return latest
}

/** Does what asks main for rows, in as many requests as it takes. Throws what `add` throws. */
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
