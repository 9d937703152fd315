import { createHash } from 'node:crypto'
import * as fileSystem from 'node:fs/promises'
import { homedir, userInfo } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { formatBytes } from '../../shared/format-bytes.ts'
import { NO_LIMITS } from '../../shared/settings.ts'
import type { TransferRow } from '../../shared/transfer/transfer.ts'
import {
  CheckpointError,
  classify,
  createEngine,
  createNodeDeps,
  createSystemClock,
  deleteDiscarded,
  makeFolders,
  openCheckpointStore,
  openSidecarKey,
  SYSTEM_WAKE,
  watchWake,
  type CheckpointStore,
  type Engine,
  type EngineDeps,
  type RetryContext,
  type TransferChanges,
  type TransferRecord,
} from '../engine/index.ts'
import type { CommonOptions } from './arguments.ts'
import type { CommandConnection } from './connection.ts'
import {
  CommandError,
  commandErrorOf,
  commandErrorOfFailure,
  EXIT,
  sourceGone,
  stopped,
  volumeUnwritable,
  type ErrorSubject,
} from './exit-status.ts'
import {
  objects,
  untransferredOf,
  sayFailures,
  sayLongPaths,
  sayPlan,
  sayRenamed,
  saySkipped,
} from './folder-output.ts'
import { createLinkMemory } from './link-memory.ts'
import { verificationWords, whyNotMore, type Output } from './output.ts'
import { commandRetryContext, createWaitNotes } from './retry-context.ts'
import type { StopSignals } from './stop-signal.ts'
import { stopTransfers } from './stop-transfers.ts'
import { damageWords } from '../../shared/transfer/damage-words.ts'

/** How often the command looks at its transfers, milliseconds. */
const LOOK_INTERVAL_MS = 50
const DATABASE = 'transfers.db'

/** What a transfer command works with. */
export interface Session {
  readonly engine: Engine
  readonly deps: EngineDeps
  readonly connection: CommandConnection
  readonly output: Output
  /** The first and the second SIGINT, SIGTERM or SIGHUP. */
  readonly stop: StopSignals
  /** The first of them. */
  readonly signal: AbortSignal
  /** Rows of earlier runs of the same command. */
  readonly earlier: readonly TransferRow[]
  readonly retryContext: RetryContext
}

/** What a session is made of. */
export interface SessionParts {
  readonly options: CommonOptions
  readonly connection: CommandConnection
  readonly output: Output
  readonly stop: StopSignals
  /** What the command now says otherwise than the run that wrote the record. */
  readonly revise?: (record: TransferRecord) => TransferChanges
}

/**
 * Runs a command that transfers. The state of each distinct command line lives in a folder of its own below the
 * state folder: the same command again goes on, other commands may run beside it. It is removed after success, and when
 * there is nothing in it to go on with.
 */
export async function withSession(
  identity: readonly unknown[],
  parts: SessionParts,
  body: (session: Session) => Promise<void>,
): Promise<void> {
  const stateFolder = parts.options.stateDir ?? defaultStateFolder()
  const folder = join(stateFolder, digestOf(identity))
  await makeStateFolder(stateFolder)
  await deleteDiscarded(stateFolder, DATABASE)
  const clock = createSystemClock()
  const links = createLinkMemory()
  const open = () => openCheckpointStore(join(folder, DATABASE), clock, links)
  // The folder may go while it is opened, when the same command ends at this moment.
  const checkpoints = await open().catch((failure: unknown) => {
    if (failure instanceof CheckpointError && failure.code === 'unusable') return open()
    throw failure
  })
  const openStore: EngineDeps['openStore'] = (location) => parts.connection.open(location)
  const deps = { ...createNodeDeps(clock, await openSidecarKey(stateFolder)), checkpoints, openStore }
  const engine = createEngine(deps, engineOptions(parts))
  const stopWatching = watchWake({
    ...SYSTEM_WAKE,
    clock,
    isWaiting: () => engine.isWaitingForNetwork,
    onUpset() {
      void engine.suspend()
      parts.connection.dropConnections()
      engine.wake()
    },
  })
  let isSpent = false
  try {
    const setAside = (await reviseRecords(checkpoints, parts)) + (await engine.load()).setAside
    if (checkpoints.damage !== null) {
      const { transfers, isWhole } = checkpoints.damage
      parts.output.aside({ event: 'list-damaged', transfers, isWhole }, damageWords(checkpoints.damage))
    }
    if (setAside > 0) parts.output.note(`Set aside ${setAside} damaged records.`)
    const earlier = engine.snapshot().rows
    const signal = parts.stop.first
    await body({
      ...parts,
      signal,
      engine,
      deps,
      earlier,
      retryContext: commandRetryContext(signal, parts.output, parts.connection, deps),
    })
    // What could not be discarded at the service is tried again by the same command.
    isSpent = (await checkpoints.abortsDue()).length === 0
  } finally {
    isSpent ||= engine.snapshot().rows.length === 0 && (await checkpoints.abortsDue()).length === 0
    stopWatching()
    if (isSpent) checkpoints.discardOnClose()
    await finish(engine, deps)
    // The same command may have begun anew, and keep its state there.
    if (isSpent) await fileSystem.rmdir(folder).catch(() => undefined)
  }
}

/** Throws CommandError where nothing can be kept; what is worth another try stays as it is. */
async function makeStateFolder(folder: string): Promise<void> {
  await makeFolders(fileSystem, folder, 0o700).catch((failure: unknown) => {
    if (classify(failure).kind === 'wait') throw failure
    const { message } = commandErrorOfFailure(failure, new AbortController().signal)
    throw new CommandError(
      'state-unwritable',
      `There is no place to keep what a command continues from: ${message} Name another folder with --state-dir.`,
    )
  })
}

/** @returns how many damaged records were set aside. */
async function reviseRecords(checkpoints: CheckpointStore, { revise }: SessionParts): Promise<number> {
  const { records, setAside } = await checkpoints.load()
  for (const record of revise === undefined ? [] : records) {
    const changes = revise?.(record) ?? {}
    if (Object.keys(changes).length > 0) await checkpoints.update(record.id, changes)
  }
  return setAside
}

async function finish(engine: Engine, deps: EngineDeps): Promise<void> {
  await engine.close()
  await deps.hasher.close()
}

function engineOptions({ options, connection }: SessionParts): Parameters<typeof createEngine>[1] {
  return {
    activeTransfers: 3,
    connectionsPerTransfer: options.connections,
    // A command goes one way only.
    limits: { ...NO_LIMITS, totalBytesPerSecond: options.limitBytesPerSecond },
    partSizeBytes: options.partSizeBytes,
    giveUpAfterMs: connection.giveUpAfter,
  }
}

/**
 * Waits until all transfers ended, showing progress, and prints one result each. Throws CommandError for the first
 * that failed, and exit status 3 when stopped by a signal, or by a volume that is full or read-only now.
 */
export async function finishTransfers(session: Session): Promise<void> {
  await followTransfers(session)
  const outdated = outdatedOf(session)
  if (outdated.length > 0) {
    await session.engine.startOver(outdated)
    await followTransfers(session)
  }
  await reportOutcomes(session, session.engine.snapshot().rows)
}

/** What an earlier run began with a file that is another one now: this run is asked for the file as it is. */
function outdatedOf({ engine, earlier }: Session): readonly string[] {
  const begunEarlier = new Set(earlier.map(({ id }) => id))
  const rows = engine
    .snapshot()
    .rows.filter(({ id, error }) => begunEarlier.has(id) && error?.code === 'source-changed')
  return rows.map(({ id }) => id)
}

async function followTransfers(session: Session): Promise<void> {
  const { engine, output, signal } = session
  const planned = new Set<string>()
  const sayWhole = (row: TransferRow): void => {
    if (!sayPlan(output, row)) return
    planned.add(row.id)
    saySkipped(engine, output, row)
  }
  const sayWaits = createWaitNotes(output)
  const idle = engine.idle().then(() => 'idle' as const)
  for (;;) {
    const ended = await Promise.race([
      idle,
      session.deps.clock.sleep(LOOK_INTERVAL_MS, signal).then(
        () => 'look' as const,
        () => 'stop' as const,
      ),
    ])
    const rows = engine.snapshot().rows
    for (const row of rows) if (!planned.has(row.id)) sayWhole(row)
    if (ended === 'idle') break
    if (ended === 'stop') {
      await stopTransfers({ ...session, clock: session.deps.clock })
      throw stopped()
    }
    for (const row of rows) {
      const unwritable = row.wait === null ? null : volumeUnwritable(row.wait.reason, row)
      if (unwritable !== null) throw unwritable
    }
    // The others go on; whether a person brings these back is not waited for.
    const gone = rows.filter(({ wait }) => wait?.reason === 'source-missing').map(({ id }) => id)
    if (gone.length > 0) await engine.pause(gone)
    for (const row of rows) sayWaits(row)
    output.progress(rows.filter((row) => row.status !== 'completed'))
  }
  output.endProgress()
}

async function reportOutcomes(session: Session, rows: readonly TransferRow[]): Promise<void> {
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
  // A person decides about what never began by giving the command again; nothing of it is kept.
  const unbegun = failed.filter(({ row, error }) => row.confirmedBytes === 0 && error.exitStatus === EXIT.needsPerson)
  await session.engine.remove(unbegun.map(({ row }) => row.id))
  const worst = failed.find(({ error }) => error.exitStatus === EXIT.needsPerson) ?? failed[0]
  if (worst !== undefined) throw worst.error
}

/** A folder is known by its path; its name is that of the prefix. */
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

function digestOf(identity: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(identity)).digest('hex').slice(0, 16)
}

/** Where commands keep what they continue from, unless they are told otherwise. */
export function defaultStateFolder(): string {
  // The variable may be empty, and the folder then be the one that a command was given in.
  const home = homedir() || userInfo().homedir
  switch (process.platform) {
    case 'win32':
      return join(process.env['LOCALAPPDATA'] || join(home, 'AppData', 'Local'), 'Sluice', 'cli')
    case 'darwin':
      return join(home, 'Library', 'Application Support', 'Sluice', 'cli')
    default: {
      // One that is empty or relative is to be ignored (XDG Base Directory Specification).
      const named = process.env['XDG_STATE_HOME'] ?? ''
      return join(isAbsolute(named) ? named : join(home, '.local', 'state'), 'sluice')
    }
  }
}
