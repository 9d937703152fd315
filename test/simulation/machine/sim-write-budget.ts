import type { MemoryBudget } from '../../../electron/engine/async/memory-budget.ts'
import { perProcess } from './process-memory.ts'

/** The write budget of whichever process runs. */
export function budgetOfProcess(create: () => MemoryBudget): MemoryBudget {
  const budget = perProcess(create)
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
