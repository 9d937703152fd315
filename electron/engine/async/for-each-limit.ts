/** Does something with each item, up to `lanes` at a time. The first failure is thrown; nothing is begun after it. */
export async function inLanes<T>(items: readonly T[], lanes: number, work: (item: T) => Promise<void>): Promise<void> {
  const left = items.values()
  let isOver = false
  const lane = async (): Promise<void> => {
    for (const item of left) {
      if (isOver) return
      await work(item)
    }
  }
  const running = Array.from({ length: lanes }, lane)
  try {
    await Promise.all(running)
  } finally {
    isOver = true
    await Promise.allSettled(running)
  }
}
