// Requests the list from the update server, without cookies, names or anything else about this computer.

import type { ProxySignIn } from './proxy-sign-in.ts'
import { UpdateError } from './update-error.ts'

const MAX_LIST_BYTES = 100_000
const PATIENCE_MS = 30_000

/** How updates are requested: through the proxy in the settings. */
export interface UpdateLine {
  /** Uses the proxy as it is set now. Throws UpdateError when the sign-in is unavailable. */
  readonly signIn: (url: string) => Promise<ProxySignIn>
  /** Sends no cookies and follows no redirect. */
  readonly get: (url: string, signIn: ProxySignIn, signal: AbortSignal) => Promise<UpdateResponse>
}

interface UpdateResponse {
  readonly status: number
  readonly body: AsyncIterable<Uint8Array>
}

/** Fetches the text of a list. Throws UpdateError when none comes in time. */
export async function fetchList(line: UpdateLine, url: string): Promise<string> {
  const signIn = await line.signIn(url)
  try {
    const { status, body } = await line.get(url, signIn, AbortSignal.timeout(PATIENCE_MS))
    if (status !== 200) throw new Error(`Status ${String(status)}`)
    return await textOf(body)
  } catch (error) {
    const problem = signIn.isRefused() ? 'proxy-sign-in' : 'unreachable'
    throw new UpdateError(problem, `The list of updates could not be fetched from ${url}`, error)
  }
}

async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const pieces: Uint8Array[] = []
  let length = 0
  for await (const piece of body) {
    length += piece.length
    if (length > MAX_LIST_BYTES) throw new Error('The list is too long.')
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString('utf8')
}
