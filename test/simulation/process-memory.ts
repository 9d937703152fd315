import type { WriteBudget } from '../../electron/engine/write-budget.ts'

let create: (() => WriteBudget) | null = null
let current: WriteBudget | null = null

/** What a module holds once a process, so that a killed one takes it along. */
export function budgetOfProcess(createBudget: () => WriteBudget): WriteBudget {
  create = createBudget
  const budget = (): WriteBudget => (current ??= createBudget())
  return {
    take: (bytes, signal) => budget().take(bytes, signal),
    give(bytes) {
      budget().give(bytes)
    },
    get isTight() {
      return budget().isTight
    },
  }
}

/** Another process begins, with memory of its own. */
export function renewMemory(): void {
  current = create?.() ?? null
}
