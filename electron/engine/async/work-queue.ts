/** Hands items from one producer to many consumers, each item once. */
export interface WorkQueue<T> {
  push(item: T): void
  /** No more will come. */
  end(): void
  /** Waits for the next item; null once there are no more. Rejects with `signal.reason` when aborted. */
  take(): Promise<T | null>
  /** Resolves when no more than `count` items wait. */
  drained(count: number): Promise<void>
}

/** @param signal ends every wait: `take` and `drained` reject with its reason. */
export function createWorkQueue<T>(signal: AbortSignal): WorkQueue<T> {
  let items: T[] = []
  let first = 0
  let isEnded = false
  const takers: { readonly resolve: (item: T | null) => void; readonly reject: (reason: unknown) => void }[] = []
  let drainers: { readonly count: number; readonly resolve: () => void; readonly reject: (reason: unknown) => void }[] =
    []
  signal.addEventListener('abort', () => {
    for (const { reject } of [...takers, ...drainers]) reject(signal.reason)
  })

  function shift(): T | null {
    const item = items[first] ?? null
    first += 1
    if (first > 1000 && first * 2 > items.length) {
      items = items.slice(first)
      first = 0
    }
    const count = items.length - first
    const over = drainers.filter((each) => each.count >= count)
    if (over.length > 0) drainers = drainers.filter((each) => each.count < count)
    for (const { resolve } of over) resolve()
    return item
  }

  return {
    push(item) {
      const taker = takers.shift()
      if (taker === undefined) items.push(item)
      else taker.resolve(item)
    },
    end() {
      isEnded = true
      for (const { resolve } of takers.splice(0)) resolve(null)
    },
    take() {
      if (signal.aborted) return Promise.reject(signal.reason)
      if (first < items.length) return Promise.resolve(shift())
      if (isEnded) return Promise.resolve(null)
      return new Promise((resolve, reject) => takers.push({ resolve, reject }))
    },
    drained(count) {
      if (signal.aborted) return Promise.reject(signal.reason)
      if (items.length - first <= count) return Promise.resolve()
      return new Promise((resolve, reject) => drainers.push({ count, resolve, reject }))
    },
  }
}
