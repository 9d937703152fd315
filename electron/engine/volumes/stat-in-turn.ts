import type { Stats } from 'node:fs'
import type * as fs from 'node:fs/promises'
import { dirname } from 'node:path'

/** Of more files it is not remembered which volume has them. */
const KNOWN_FILES = 1000

type Stat = typeof fs.stat
type Look = (path: string, options: object | undefined) => Promise<Stats>

/**
 * `stat`, of the files of a volume one at a time; of files that are asked about for the first time, of those in a folder. On a share
 * that hangs each would take one of the four threads that Node has for all files and names of hosts, and soon nothing else would
 * go on. Who asks for a file that waits for its turn already gets the same answer: it is newer than the question.
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
    // An answer that is a failure is the asker's.
    const last = answer.then(
      () => undefined,
      () => undefined,
    )
    lasts.set(key, last)
    void last.then(() => lasts.get(key) === last && lasts.delete(key))
    return answer
  }
  // One signature for all of its overloads: what comes back is what was asked for.
  return inTurn as unknown as Stat
}
