import { lstat } from 'node:fs/promises'
import { isFinal, type TransferRow } from '../../../shared/transfer/transfer.ts'
import type { ObjectAddress } from '../connection.ts'
import { headOrNull } from './prove-equal.ts'
import type { Session } from '../session/session.ts'

/** Failures after which the bytes transferred so far are worthless. */
const STARTS_OVER = new Set([
  'changed-on-server',
  'conflict-on-server',
  'final-mismatch',
  'outcome-unknown',
  'source-changed',
  'upload-lost',
])

/**
 * Continues the transfers of an earlier run, failed ones too, from the beginning if their bytes are worthless. Drops
 * those for which `isAskedAnew` holds, and finished ones whose file or object has changed since. @returns the rows that
 * need not be enqueued again.
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

/** Whether the file is still the one that was published, and the object still the version that was downloaded. */
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
