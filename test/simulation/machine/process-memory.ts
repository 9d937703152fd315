const renewals: ((isScarce: boolean) => void)[] = []

/** What a module holds once a process, so that a killed one takes it along. */
export function perProcess<Value>(create: (isScarce: boolean) => Value): () => Value {
  let current: Value | null = null
  let wasScarce = true
  renewals.push((isScarce) => {
    current = null
    wasScarce = isScarce
  })
  return () => (current ??= create(wasScarce))
}

/** Another process begins, with memory of its own; `isScarce`: with less of it than a program gives itself. */
export function renewMemory(isScarce = true): void {
  for (const renew of renewals) renew(isScarce)
}
