import { open } from 'node:fs/promises'
import { PAGE_BYTES } from './empty-database.ts'
import { transactionsOf } from './log-frames.ts'

/**
 * Writes the transactions in the log at `logPath` into the database at `path`. SQLite would stop at the first damage of
 * the log, and refuse a database that was cut short. @returns whether all of the log could be read.
 */
export async function mergeLog(path: string, logPath: string): Promise<boolean> {
  const database = await open(path, 'r+')
  let isWhole = true
  try {
    for await (const read of transactionsOf(logPath)) {
      isWhole &&= read !== 'unreadable' && !read.isBehindDamage
      if (read === 'unreadable') continue
      for (const [page, content] of read.pages) await database.write(content, 0, PAGE_BYTES, (page - 1) * PAGE_BYTES)
      await database.truncate(read.pagesAfter * PAGE_BYTES)
    }
    return isWhole
  } finally {
    await database.close()
  }
}
