import { readdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { AdoptionRefused, type DownloadRequest, type FoundPartial } from '../../engine/index.ts'
import type { Session } from '../session/session.ts'

/**
 * Finds a partial file beside the target of `request`, left by a command whose state is lost or copied from elsewhere;
 * null when there is none. A file that is provably this user's is preferred.
 */
export async function findPartial(session: Session, request: DownloadRequest): Promise<string | null> {
  const folder = dirname(request.targetPath)
  const name = basename(request.targetPath)
  let other: string | null = null
  for (const entry of await readdir(folder)) {
    if (!entry.startsWith('.') || !entry.endsWith('.part')) continue
    const found = await inspect(session, join(folder, entry))
    if (found === null || basename(found.targetPath) !== name || !isOfObject(session, found, request)) continue
    if (found.isOurs) return found.partialPath
    other ??= found.partialPath
  }
  return other
}

async function inspect(session: Session, path: string): Promise<FoundPartial | null> {
  try {
    return await session.engine.inspectPartial(path)
  } catch (failure) {
    if (failure instanceof AdoptionRefused) return null
    throw failure
  }
}

function isOfObject(session: Session, found: FoundPartial, { location, key }: DownloadRequest): boolean {
  if (location.kind === 'link') return found.location.kind === 'link' && sameLink(found.location.url, location.url)
  if (found.location.kind === 'link' || found.location.bucket !== location.bucket || found.key !== key) return false
  const { endpoint } = session.connection.open(location)
  return found.location.placeId === location.placeId || (endpoint !== undefined && found.endpoint === endpoint)
}

/** Whether two links lead to the same object; their signatures may differ. */
function sameLink(one: string, other: string): boolean {
  const [a, b] = [new URL(one), new URL(other)]
  return a.origin === b.origin && a.pathname === b.pathname
}
