/**
 * Settles as `promise` does, or rejects with what `late` returns once `limitMs` milliseconds have passed. The work
 * behind the promise goes on all the same.
 */
export function inTime<T>(promise: Promise<T>, limitMs: number, late: () => Error): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(late()), limitMs)
    promise.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
