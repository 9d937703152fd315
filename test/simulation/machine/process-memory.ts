const renewals: ((isScarce: boolean) => void)[] = []
let loans = 0
/** Counts processes: what one of them was lent ends with it. */
let era = 0

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
  loans = 0
  era += 1
  for (const renew of renewals) renew(isScarce)
}

/** Something of the memory that the process has for all is lent, until the function that this returns is called. */
export function lend(): () => void {
  const process = era
  loans += 1
  let isOver = false
  return () => {
    if (!isOver && process === era) loans -= 1
    isOver = true
  }
}

/** What is lent and was not given back. */
export function lentLoans(): number {
  return loans
}
