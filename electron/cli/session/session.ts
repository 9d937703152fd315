import { createHash } from 'node:crypto'
import { rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { DEFAULT_ACTIVE_TRANSFERS } from '../../../shared/limits.ts'
import { NO_LIMITS } from '../../../shared/settings.ts'
import { damageWords } from '../../../shared/transfer/words/damage-words.ts'
import type { TransferRow } from '../../../shared/transfer/transfer.ts'
import {
  CheckpointError,
  createEngine,
  createNodeDeps,
  createSystemClock,
  deleteDiscarded,
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
} from '../../engine/index.ts'
import type { PutOptions, TransferOptions } from '../arguments.ts'
import type { CommandConnection } from '../connection.ts'
import type { Output } from '../output.ts'
import { commandRetryContext } from '../retry-context.ts'
import type { StopSignals } from '../stop-signal.ts'
import { createLinkMemory } from './link-memory.ts'
import { defaultStateFolder, openStateFolder } from './state-folder.ts'

const DATABASE = 'transfers.db'

/** What a transfer command works with. */
export interface Session {
  /** Where commands keep what they know of each other. */
  readonly stateFolder: string
  readonly engine: Engine
  readonly deps: EngineDeps
  readonly connection: CommandConnection
  readonly output: Output
  /** Tells of the first and the second SIGINT, SIGTERM or SIGHUP. */
  readonly stop: StopSignals
  /** Aborted by the first of them. */
  readonly signal: AbortSignal
  /** Rows of earlier runs of the same command. */
  readonly earlier: readonly TransferRow[]
  readonly retryContext: RetryContext
}

/** What a session needs. */
export interface SessionParts {
  readonly options: TransferOptions & Partial<Pick<PutOptions, 'partSizeBytes'>>
  readonly connection: CommandConnection
  readonly output: Output
  readonly stop: StopSignals
  /** The changes to a record that this command asks for, compared with the run that wrote it. */
  readonly revise?: (record: TransferRecord) => TransferChanges
}

/**
 * Runs a command that transfers. Each distinct command line has its own folder in the state folder, so the same command
 * can be continued while others run beside it. The folder is removed after success, and when it holds nothing to
 * continue.
 */
export async function withSession(
  identity: readonly unknown[],
  parts: SessionParts,
  body: (session: Session) => Promise<void>,
): Promise<void> {
  const stateFolder = parts.options.stateDir ?? defaultStateFolder()
  const folder = join(stateFolder, digestOf(identity))
  const clock = createSystemClock()
  const links = createLinkMemory()
  const open = () => openCheckpointStore(join(folder, DATABASE), clock, links)
  const { sidecarKey, checkpoints } = await openStateFolder(stateFolder, async () => {
    await deleteDiscarded(stateFolder, DATABASE)
    // Before the database, which would have to be closed again if there is no room for the key.
    const sidecarKey = await openSidecarKey(stateFolder)
    // The folder may vanish while it is opened, if the same command is just ending.
    const checkpoints = await open().catch((failure: unknown) => {
      if (failure instanceof CheckpointError && failure.code === 'unusable') return open()
      throw failure
    })
    return { sidecarKey, checkpoints }
  })
  const openStore: EngineDeps['openStore'] = (location) => parts.connection.open(location)
  const deps = { ...createNodeDeps(clock, sidecarKey), checkpoints, openStore }
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
  let isLoaded = false
  let isDone = false
  try {
    const setAside = (await reviseRecords(checkpoints, parts)) + (await engine.load()).setAside
    isLoaded = true
    if (checkpoints.damage !== null) {
      const { transfers, isWhole } = checkpoints.damage
      parts.output.aside({ event: 'list-damaged', transfers, isWhole }, damageWords(checkpoints.damage))
    }
    if (setAside > 0) parts.output.note(`Set aside ${setAside} damaged records.`)
    const earlier = engine.snapshot().rows
    const signal = parts.stop.first
    await body({
      ...parts,
      stateFolder,
      signal,
      engine,
      deps,
      earlier,
      retryContext: commandRetryContext(signal, parts.output, parts.connection, deps),
    })
    isDone = true
  } finally {
    // Uploads that could not be discarded at the service are tried again by the same command.
    const due = await checkpoints.abortsDue().catch(() => null)
    for (const each of due ?? []) sayLeft(parts.output, each)
    // What could not be read may well hold something to continue.
    const isEmpty = isLoaded && engine.snapshot().rows.length === 0
    const isSpent = due?.length === 0 && (isDone || isEmpty)
    stopWatching()
    if (isSpent) checkpoints.discardOnClose()
    await finish(engine, deps)
    // The same command may have been started again, and may be keeping its state there.
    if (isSpent) await rmdir(folder).catch(() => undefined)
  }
}

/** Tells the person of an upload that the service still keeps, and may charge for. Nothing else would. */
function sayLeft(output: Output, { key, uploadId }: { readonly key: string; readonly uploadId: string }): void {
  const words = `${key}: the unfinished upload ${uploadId} could not be discarded and is still on the server. The same command tries again.`
  output.aside({ event: 'not-discarded', key, uploadId }, words)
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
    activeTransfers: DEFAULT_ACTIVE_TRANSFERS,
    connectionsPerTransfer: options.connections,
    // A command transfers in one direction only, so one limit is enough.
    limits: { ...NO_LIMITS, totalBytesPerSecond: options.limitBytesPerSecond },
    partSizeBytes: options.partSizeBytes ?? null,
    giveUpAfterMs: connection.giveUpAfter,
  }
}

function digestOf(identity: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(identity)).digest('hex').slice(0, 16)
}
