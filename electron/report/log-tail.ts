// The end of a log of two files: the current one and the full one before it.

import { readFile } from 'node:fs/promises'

const MAX_TAIL_CHARACTERS = 200_000

/** Returns the last whole lines of the log at `path`; empty when there is no log. */
export async function logTail(path: string): Promise<string> {
  const texts = await Promise.all([`${path}.1`, path].map((each) => readFile(each, 'utf8').catch(() => '')))
  const text = texts.join('')
  if (text.length <= MAX_TAIL_CHARACTERS) return text
  const tail = text.slice(-MAX_TAIL_CHARACTERS)
  return tail.slice(tail.indexOf('\n') + 1)
}
