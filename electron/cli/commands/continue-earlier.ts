import { lstat } from 'node:fs/promises'
import { isFinal, type TransferRow } from '../../../shared/transfer/transfer.ts'
import type { ObjectAddress } from '../connection.ts'
import { headOrNull } from './prove-equal.ts'
import type { Session } from '../session/session.ts'

/** Failures after which what was transferred is worth nothing. */
const STARTS_OVER = new Set([
  'changed-on-server',
  'conflict-on-server',
  'final-mismatch',
  'outcome-unknown',
  'source-changed',
  'upload-lost',
])

/**
 * Continues what an earlier run left: failed transfers too, from the beginning where their bytes are worth nothing.
 * What that run finished counts only while it is true. `isAskedAnew`: what is dropped of it. @returns the rows that
 * need not be asked for again.
 */
export async function continueEarlier(
  session: Session,
  location: ObjectAddress['location'],
  isAskedAnew: (row: TransferRow) => boolean = () => false,
): Promise<readonly TransferRow[]> {
  const { engine, earlier } = session
  const stale = new Set<string>(idsOf(earlier.filter(isAskedAnew)))
  for (const row of earlier.filter(({ status }) => isFinal(status))) {
    if (!(await isStillTrue(session, location, row))) stale.add(row.id)
  }
  await engine.remove([...stale])
  const failed = earlier.filter((row) => row.status === 'failed' && !stale.has(row.id))
  await engine.startOver(idsOf(failed.filter((row) => STARTS_OVER.has(row.error?.code ?? ''))))
  await engine.retry(idsOf(failed.filter((row) => !STARTS_OVER.has(row.error?.code ?? ''))))
  await engine.resume(idsOf(earlier.filter((row) => row.status === 'paused')))
  return earlier.filter((row) => !stale.has(row.id))
}

/** Whether the file is the one that was published, and the object still the version that it was made from. */
async function isStillTrue(session: Session, location: ObjectAddress['location'], row: TransferRow): Promise<boolean> {
  const etag = session.engine.details(row.id)?.etag ?? null
  if (row.status !== 'completed' || row.direction !== 'download' || etag === null) return false
  const file = await lstat(row.localPath).catch(() => null)
  const isTouched = !file?.isFile() || file.size !== row.sizeBytes || file.ctimeMs > (row.finishedAtMs ?? 0)
  if (isTouched) return false
  const key = location.kind === 'link' ? '' : row.key
  const head = await headOrNull(session, session.connection.open(location), key)
  return head?.etag === etag
}

function idsOf(rows: readonly TransferRow[]): string[] {
  return rows.map((row) => row.id)
}
