import type { Stats } from 'node:fs'
import type * as fs from 'node:fs/promises'
import { dirname } from 'node:path'

/** When the volumes of this many files are known, all are forgotten. */
const KNOWN_FILES = 1000

type Stat = typeof fs.stat
type Look = (path: string, options: object | undefined) => Promise<Stats>

/**
 * `stat` for one file of a volume at a time; files that are asked about for the first time take turns by folder. On a
 * share that hangs, each call would take one of the four threads that Node has for all files and host names, and soon
 * nothing else would go on. A question about a file that already waits for its turn shares its answer, which is newer.
 */
export function statInTurn(stat: Look): Stat {
  const volumes = new Map<string, number>()
  const lasts = new Map<string | number, Promise<void>>()
  const waiting = new Map<string, Promise<Stats>>()

  async function look(path: string, options: object | undefined): Promise<Stats> {
    const facts = await stat(path, options)
    if (volumes.size >= KNOWN_FILES) volumes.clear()
    volumes.set(path, Number(facts.dev))
    return facts
  }

  function inTurn(path: string, options?: object): Promise<Stats> {
    const question = JSON.stringify([path, options])
    const asked = waiting.get(question)
    if (asked !== undefined) return asked
    const key = volumes.get(path) ?? dirname(path)
    const answer = (lasts.get(key) ?? Promise.resolve()).then(() => {
      waiting.delete(question)
      return look(path, options)
    })
    waiting.set(question, answer)
    // A failure concerns only whoever asked.
    const last = answer.then(
      () => undefined,
      () => undefined,
    )
    lasts.set(key, last)
    void last.then(() => lasts.get(key) === last && lasts.delete(key))
    return answer
  }
  // One signature stands for all overloads: the result is what was asked for.
  return inTurn as unknown as Stat
}
