/**
 * What a promise comes to, or a rejection with what `late` says where that takes more than `limitMs` milliseconds. It
 * goes on all the same.
 */
export function inTime<T>(promise: Promise<T>, limitMs: number, late: () => Error): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(late()), limitMs)
    promise.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
