// Asks the update server for its list: one request without cookies, names or anything else of this computer.

import type { Session } from 'electron'
import { UpdateError } from './update-error.ts'

const MAX_LIST_BYTES = 100_000
const PATIENCE_MS = 30_000

/** Throws UpdateError `unreachable` where no list comes in time. */
export async function fetchList(session: Pick<Session, 'fetch'>, url: string): Promise<string> {
  try {
    const signal = AbortSignal.timeout(PATIENCE_MS)
    const answer = await session.fetch(url, { credentials: 'omit', redirect: 'error', signal })
    if (answer.status !== 200) throw new Error(`Status ${String(answer.status)}`)
    return await textOf(answer)
  } catch (error) {
    throw new UpdateError('unreachable', `No list of updates from ${url}`, error)
  }
}

async function textOf({ body }: Response): Promise<string> {
  const pieces: Uint8Array[] = []
  let length = 0
  for await (const piece of (body ?? []) as AsyncIterable<Uint8Array>) {
    length += piece.length
    if (length > MAX_LIST_BYTES) throw new Error('The list is longer than any list.')
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString('utf8')
}
