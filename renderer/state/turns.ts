/** Limits how many requests run at a time; the others wait for their turn, first come, first served. */
export function createTurns(most: number): <Value>(ask: () => Promise<Value>) => Promise<Value> {
  const waiting: (() => void)[] = []
  let running = 0
  return async (ask) => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve))
    running += 1
    try {
      return await ask()
    } finally {
      running -= 1
      waiting.shift()?.()
    }
  }
}
