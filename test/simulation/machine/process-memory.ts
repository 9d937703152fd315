const renewals: (() => void)[] = []

/** What a module holds once a process, so that a killed one takes it along. */
export function perProcess<Value>(create: () => Value): () => Value {
  let current: Value | null = null
  renewals.push(() => {
    current = null
  })
  return () => (current ??= create())
}

/** Another process begins, with memory of its own. */
export function renewMemory(): void {
  for (const renew of renewals) renew()
}
