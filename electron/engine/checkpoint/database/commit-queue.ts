import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Database } from './database.ts'

/** Runs work in transactions, one after another. Work that arrives while one commits shares the next (group commit). */
export interface CommitQueue {
  /**
   * Resolves with what `work` returned once it is on disk. `work` may run twice: when other work in its group fails,
   * the group is rolled back and each piece runs in a transaction of its own.
   */
  transact<T>(work: () => Promise<T>): Promise<T>
}

/** How much work is done before other events get their turn: about 5 ms. */
const WORKS_PER_TURN = 100

interface Entry {
  readonly work: () => Promise<unknown>
  readonly resolve: (value: unknown) => void
  readonly reject: (reason: unknown) => void
}

/**
 * While this queue is in use, nothing else may use `database`: a statement in between would join the queue's
 * transaction. `afterCommit` runs between two transactions.
 */
export function createCommitQueue(database: Database, afterCommit: () => Promise<void>): CommitQueue {
  let waiting: Entry[] = []
  let draining = false

  async function drain(): Promise<void> {
    // Work that is asked for in one go shares a transaction.
    await Promise.resolve()
    while (waiting.length > 0) {
      const group = waiting
      waiting = []
      await commit(group)
    }
    draining = false
  }

  async function commit(group: readonly Entry[]): Promise<void> {
    try {
      await database.exec('BEGIN IMMEDIATE')
      const values: unknown[] = []
      for (const [index, entry] of group.entries()) {
        if (index % WORKS_PER_TURN === WORKS_PER_TURN - 1) await nextTurn()
        values.push(await entry.work())
      }
      await database.exec('COMMIT')
      await afterCommit()
      group.forEach((entry, index) => {
        entry.resolve(values[index])
      })
    } catch (failure) {
      // After some errors SQLite has already rolled back; then this statement fails, which does not matter.
      await database.exec('ROLLBACK').catch(() => undefined)
      if (group.length === 1) group[0]?.reject(await database.explain(failure))
      else for (const entry of group) await commit([entry])
    }
  }

  return {
    transact: <T>(work: () => Promise<T>) =>
      new Promise<T>((resolve, reject) => {
        waiting.push({ work, resolve: resolve as (value: unknown) => void, reject })
        if (draining) return
        draining = true
        void drain()
      }),
  }
}
