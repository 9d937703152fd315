/** Settles as `promise` does, or rejects with the signal's reason if it aborts first. Leaves no listener behind. */
export function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) {
    // Nobody waits for the outcome any more.
    promise.catch(() => undefined)
    return Promise.reject(signal.reason as Error)
  }
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason as Error)
    signal.addEventListener('abort', abort, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}
