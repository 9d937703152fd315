/** Calls `work` for each item, up to `limit` at a time. Throws the first failure; nothing is begun after it. */
export async function forEachLimit<T>(
  items: readonly T[],
  limit: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const left = items.values()
  let isOver = false
  const worker = async (): Promise<void> => {
    for (const item of left) {
      if (isOver) return
      try {
        await work(item)
      } catch (failure) {
        isOver = true
        throw failure
      }
    }
  }
  const running = Array.from({ length: limit }, worker)
  try {
    await Promise.all(running)
  } finally {
    await Promise.allSettled(running)
  }
}
