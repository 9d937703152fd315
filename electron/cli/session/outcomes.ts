import { unlessAborted } from '../../async/unless-aborted.ts'
import { waitAtMost } from '../../async/wait-at-most.ts'
import { formatBytes } from '../../../shared/format/format-bytes.ts'
import type { TransferRow } from '../../../shared/transfer/transfer.ts'
import { commandErrorOf, sourceGone, type CommandError, type ErrorSubject } from '../command-error.ts'
import { EXIT } from '../exit-status.ts'
import { objects, sayFailures, sayLongPaths, sayRenamed, untransferredOf } from '../folder-output.ts'
import { verificationWords, whyNotMore } from '../output.ts'
import type { Session } from './session.ts'

/** How long a command that has ended waits for the service to discard the uploads that it gave up (milliseconds). */
const ABORT_PATIENCE_MS = 10_000

/** Prints one result each. Throws CommandError for the first failed transfer that needs a person, or else the first. */
export async function reportOutcomes(session: Session, rows: readonly TransferRow[]): Promise<void> {
  const failed = rows.flatMap((row) => {
    if (row.status === 'paused') return [{ row, error: sourceGone(row) }]
    return row.error === null ? [] : [{ row, error: commandErrorOf(row.error, subjectOf(row)) }]
  })
  for (const row of rows.filter(({ status }) => status === 'completed')) {
    sayRenamed(session.engine, session.output, row)
    sayLongPaths(session.engine, session.output, row)
    session.output.result(resultOf(session, row), resultText(row))
  }
  for (const { row } of failed) sayFailures(session.engine, session.output, row)
  if (rows.length > 1) for (const { row, error } of failed) session.output.note(`${row.name}: ${error.message}`)
  await session.engine.remove(unbegunOf(session, failed))
  await letAbort(session)
  const worst = failed.find(({ error }) => error.exitStatus === EXIT.needsPerson) ?? failed[0]
  if (worst !== undefined) throw worst.error
}

interface Failed {
  readonly row: TransferRow
  readonly error: CommandError
}

/**
 * Transfers that never began are not kept: a person decides about them by running the command again. One that an earlier
 * run began is kept, because it may have more than this run saw before it was refused.
 */
function unbegunOf({ earlier }: Session, failed: readonly Failed[]): readonly string[] {
  const begunEarlier = new Set(earlier.map(({ id }) => id))
  return failed
    .filter(({ row, error }) => row.confirmedBytes === 0 && error.exitStatus === EXIT.needsPerson)
    .filter(({ row }) => !begunEarlier.has(row.id))
    .map(({ row }) => row.id)
}

/** Waits a while for the service to discard the uploads that were given up. */
async function letAbort({ engine, deps, signal }: Session): Promise<void> {
  const idle = unlessAborted(engine.idle(), signal)
  // Being stopped here is not a failure.
  await waitAtMost(ABORT_PATIENCE_MS, idle, deps.clock).catch(() => undefined)
}

/** A folder is called by its path in messages, because its row's name is that of the prefix. */
function subjectOf({ name, bucket, localPath, items, placeId, key, confirmedBytes }: TransferRow): ErrorSubject {
  const host = placeId === null ? new URL(key).host : null
  const isFolder = items !== undefined
  return { name: isFolder ? localPath : name, bucket, localPath, host, isFolder, keepsBytes: confirmedBytes > 0 }
}

function resultOf(session: Session, row: TransferRow): Readonly<Record<string, unknown>> {
  return {
    event: 'done',
    direction: row.direction,
    key: row.key,
    path: row.localPath,
    sizeBytes: row.sizeBytes,
    etag: session.engine.details(row.id)?.etag ?? null,
    ...(row.items == null ? {} : { objects: row.items.done, ...untransferredOf(row.items) }),
    verification: row.verification,
    ...whyNotMore(row.proofLack),
  }
}

function resultText(row: TransferRow): string {
  const size = formatBytes(row.sizeBytes ?? 0)
  const where = row.direction === 'download' ? row.localPath : row.key
  const count = row.items == null ? '' : `${objects(row.items)}  `
  const check = row.items?.total === 0 ? 'nothing to check' : verificationWords(row.verification, row.proofLack)
  return `${where}  ${count}${size}  ${check}`
}
