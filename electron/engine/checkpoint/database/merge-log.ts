import { open } from 'node:fs/promises'
import { PAGE_BYTES } from './empty-database.ts'
import { readLog, surveyLog } from './log-frames.ts'

/** What became of a log's changes. */
export interface Merged {
  /** Whether all of them could be read. */
  readonly isWhole: boolean
  /**
   * How many damaged places of the log come before the end of the transaction that has the newest readable content of a
   * page, by page number; 0 for all other pages. What a place hides may be newer content of any page with less.
   */
  readonly damagesBefore: ReadonlyMap<number, number>
}

/**
 * Writes the pages in the log at `logPath` into the database at `path`. SQLite would stop at the first damage of the log,
 * and refuse a database that was cut short. Each page is right for its time, but behind damage they needn't fit together:
 * `damagesBefore` tells which do.
 */
export async function mergeLog(path: string, logPath: string): Promise<Merged> {
  const { confirmedFrames, isWhole } = await surveyLog(logPath)
  const damagesBefore = new Map<number, number>()
  const database = await open(path, 'r+')
  /** Pages of the transaction that is being read: damage inside it concerns all of them. */
  const unfinished: number[] = []
  let damages = 0
  try {
    for await (const { number, frame } of readLog(logPath)) {
      if (number > confirmedFrames) break
      if (frame === null) {
        damages += 1
        continue
      }
      await database.write(frame.content, 0, PAGE_BYTES, (frame.page - 1) * PAGE_BYTES)
      unfinished.push(frame.page)
      if (frame.pagesAfter === 0) continue
      await database.truncate(frame.pagesAfter * PAGE_BYTES)
      for (const page of unfinished.splice(0)) damagesBefore.set(page, damages)
    }
    return { isWhole, damagesBefore }
  } finally {
    await database.close()
  }
}
