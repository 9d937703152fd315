import { stat } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import type { Conflict } from '../../../shared/conflict.ts'
import { MIN_PART_SIZE_BYTES } from '../../../shared/limits.ts'
import type { TransferErrorCode } from '../../../shared/transfer/transfer-error.ts'
import type { TransferRow, Verification } from '../../../shared/transfer/transfer.ts'
import {
  compareUploads,
  composedName,
  nodeFiles,
  createRetryPolicy,
  errnoCode,
  forEachLimit,
  listUploadsOfKey,
  lookIfPossible,
  resolveKeyConflict,
  type KeyDecision,
  type MatchContext,
  type TransferChanges,
  type TransferRecord,
  type UploadMatch,
  type UploadRequest,
} from '../../engine/index.ts'
import type { ListedUpload } from '../../stores/port/object-store.ts'
import type { Command } from '../arguments.ts'
import { addressInPlace, type CommandConnection, type ObjectAddress } from '../connection.ts'
import { CommandError, systemWords } from '../command-error.ts'
import type { Output } from '../output.ts'
import { finishTransfers } from '../session/follow-transfers.ts'
import { withSession, type Session } from '../session/session.ts'
import type { StopSignals } from '../stop-signal.ts'
import { UsageError } from '../usage-error.ts'
import { continueEarlier } from './continue-earlier.ts'
import { provenEqual } from './prove-equal.ts'

/** How many files are compared with the bucket at a time. Latency dominates, so many. */
const LOOKS_AT_A_TIME = 32

/** More files than this become one transfer, like a folder, which takes a quarter of the time. */
const MOST_SINGLE_FILES = 100

type Put = Extract<Command, { name: 'put' }>

/** Uploads files and folders to a key, or below a prefix that ends in `/`. Throws CommandError. */
export async function put(
  command: Put,
  connection: CommandConnection,
  output: Output,
  stop: StopSignals,
): Promise<void> {
  const target = addressInPlace(connection, command.target, 'put takes a key or a prefix as its target, not a link.')
  const sources = command.files.map((file) => resolve(file))
  const isPrefix = target.key === '' || target.key.endsWith('/')
  if (!isPrefix && sources.length > 1) throw new UsageError('Several files need a target that ends in “/”.')
  const identity = ['put', target, sources]
  const sorted = await sortSources(sources, target, isPrefix)
  const isMany = sorted.files.length > MOST_SINGLE_FILES
  const files = isMany ? [] : sorted.files
  const batch = isMany ? sources : sorted.folders
  const { ifExists } = command
  const revise = (record: TransferRecord) => asAskedNow(record, ifExists)
  const parts = { options: command.options, connection, output, stop, revise }
  await withSession(identity, parts, async (session) => {
    // An upload that met another object is planned again, so that it is treated like any other conflict.
    const isAskedAnew = ({ error }: TransferRow) => ifExists !== 'replace' && MET_ANOTHER.has(error?.code)
    const earlier = await continueEarlier(session, target.location, isAskedAnew)
    // Compare paths, not keys: a file that was to be kept beside another object has a key of its own.
    const known = new Set(earlier.filter(({ items }) => items == null).map((row) => row.localPath))
    const fresh = files.filter(({ path }) => !known.has(path))
    // If files may get new names, each must know the names given before it.
    await forEachLimit(fresh, ifExists === 'replace' ? LOOKS_AT_A_TIME : 1, async (file) => {
      const request = await requestFor(session, target.location, file, { ifExists, ownKeys: sorted.keys })
      if (request !== null) await session.engine.enqueueUploads([request])
    })
    if (batch.length > 0 && !earlier.some(({ items }) => items != null)) {
      const { location, key: prefix } = target
      const request = { location, prefix, sourcePaths: batch, onConflict: ifExists }
      await session.engine.enqueueUploadFolder(request)
    }
    await finishTransfers(session)
    requireAllRead(session)
  })
}

const MET_ANOTHER: ReadonlySet<TransferErrorCode | undefined> = new Set(['conflict-on-server', 'outcome-unknown'])

/**
 * Adjusts an earlier run's record to this command, which uploads what is in the folders now, not what was in them then,
 * and treats taken keys as it says now.
 */
function asAskedNow({ direction }: TransferRecord, ifExists: Conflict): TransferChanges {
  if (direction === 'upload-folder') return { planned: null, onConflict: ifExists }
  return direction === 'upload' ? { onConflict: policyOf(ifExists) } : {}
}

/** Throws CommandError when something in the folders could not be uploaded, or when there was nothing in them. */
function requireAllRead({ engine }: Session): void {
  for (const row of engine.snapshot().rows.filter(({ items }) => items != null)) {
    const skipped = engine.details(row.id)?.skipped ?? null
    const unreadable = skipped?.named.find(({ reason }) => reason === 'unreadable')
    if (unreadable !== undefined) throw new CommandError('source-unreadable', `Can’t read ${unreadable.path}.`)
    const nameless = skipped?.named.find(({ reason }) => reason === 'name')
    if (nameless !== undefined) throw new CommandError('name-not-storable', `${nameless.path} can’t be a key.`)
    if (skipped !== null && skipped.unreadable > 0) throw new CommandError('source-unreadable', 'Can’t read all files.')
    if (row.items?.total === 0) throw new CommandError('source-missing', 'There is nothing to upload.')
  }
}

interface SourceFile {
  readonly path: string
  readonly key: string
  readonly sizeBytes: number
}

interface SortedSources {
  readonly files: readonly SourceFile[]
  readonly folders: readonly string[]
  /** The keys of all files and folders. */
  readonly keys: ReadonlySet<string>
}

async function sortSources(
  sources: readonly string[],
  target: ObjectAddress,
  isPrefix: boolean,
): Promise<SortedSources> {
  const files: SourceFile[] = []
  const folders: string[] = []
  const keys = new Set<string>()
  for (const path of sources) {
    const facts = await stat(path).catch((failure: unknown) => unreachable(path, failure))
    if (facts.isDirectory() && !isPrefix) {
      throw new UsageError(`${basename(path) || path} is a folder: give a target that ends in “/”.`)
    }
    if (!facts.isDirectory() && !facts.isFile()) throw new CommandError('source-unreadable', `${path} is not a file.`)
    const key = isPrefix
      ? `${target.key}${await composedName(path, nodeFiles)}${facts.isDirectory() ? '/' : ''}`
      : target.key
    if (keys.has(key)) throw new UsageError(`Two of the files would become ${key}.`)
    keys.add(key)
    if (facts.isDirectory()) folders.push(path)
    else files.push({ path, key, sizeBytes: facts.size })
  }
  return { files, folders, keys }
}

function unreachable(path: string, failure: unknown): never {
  const code = errnoCode(failure)
  if (code === 'ENOENT' || code === 'ENOTDIR') throw new CommandError('source-missing', `There is no file ${path}.`)
  throw new CommandError('source-unreadable', `Can’t read ${path}: ${systemWords(failure)}.`)
}

/** Whether the object is already there and proven equal to the file; if so, prints that. */
export async function skipProven(session: Session, address: ObjectAddress, path: string): Promise<boolean> {
  const proof = await provenEqual(session, address, path, 'upload')
  if (proof === null) return false
  sayThere(session, address.key, path, proof)
  return true
}

/** @param verification null when the object there may be another one, which is kept. */
function sayThere({ output }: Session, key: string, path: string, verification: Verification | null): void {
  output.result(
    { event: 'done', direction: 'upload', key, path, skipped: true, verification },
    `${key}  ${verification === null ? 'is there and was kept: skipped' : 'already there and equal'}`,
  )
}

/** Unless --if-exists is `replace`, an object that appears at the key after the check stays. */
function policyOf(ifExists: Conflict): UploadRequest['onConflict'] {
  return ifExists === 'replace' ? 'replace' : 'fail'
}

/** Returns null when there is nothing to do. */
async function requestFor(
  session: Session,
  location: ObjectAddress['location'],
  { path, key: wanted, sizeBytes }: SourceFile,
  { ifExists, ownKeys }: { readonly ifExists: Conflict; readonly ownKeys: ReadonlySet<string> },
): Promise<UploadRequest | null> {
  const context = { ...session.retryContext, deps: session.deps, store: session.connection.open(location) }
  // For a file this small, continuing an earlier upload gains nothing.
  const find = async (key: string) => (sizeBytes > MIN_PART_SIZE_BYTES ? await unfinishedUploads(context, key) : [])
  const isTaken = (key: string) => ownKeys.has(key) || session.engine.snapshot().rows.some((row) => row.key === key)
  const decide = async (): Promise<KeyDecision<{ readonly verification: Verification }>> => {
    const decision = await resolveKeyConflict({ ...context, isTaken }, { key: wanted, sourcePath: path }, ifExists)
    // These two don't compare the bytes, but an equal object needs no other one, and whoever keeps one wants to know.
    if (ifExists !== 'replace' && decision.kind !== 'skip') return decision
    const verification = await provenEqual(session, { location, key: wanted }, path, 'upload')
    return verification === null ? decision : { kind: 'found', key: wanted, verification }
  }
  // In parallel, because each request in turn costs a round trip.
  const [decision, found] = await Promise.all([decide(), find(wanted)])
  if (decision.kind !== 'send') {
    const isFound = decision.kind === 'found'
    sayThere(session, isFound ? decision.key : wanted, path, isFound ? decision.verification : null)
    return null
  }
  const request = { location, key: decision.key, sourcePath: path, onConflict: policyOf(ifExists) }
  const proven = await provenUpload(context, decision.key === wanted ? found : await find(decision.key), path)
  return proven === undefined ? request : { ...request, adopt: proven }
}

/** Returns none if the service doesn't tell; a new upload is begun then (docs/dialect.md, Two rules). */
async function unfinishedUploads(context: MatchContext, key: string): Promise<readonly ListedUpload[]> {
  const { store, signal } = context
  const found = await lookIfPossible(createRetryPolicy(context), (fewTries) =>
    listUploadsOfKey(store, key, fewTries, signal),
  )
  return found ?? []
}

/** The upload to continue: of those that are wholly proven, the one that holds most of the file. */
async function provenUpload(
  context: MatchContext,
  uploads: readonly ListedUpload[],
  path: string,
): Promise<UploadMatch | undefined> {
  if (uploads.length === 0) return undefined
  const compared = await lookIfPossible(createRetryPolicy(context), (fewTries) =>
    compareUploads(context, uploads, path, { retryPolicy: fewTries }),
  )
  return compared?.matches.find(isWhollyProven)
}

/** Whether every part there has the file's bytes, so that finishing the upload here takes nothing from anybody else. */
function isWhollyProven(match: UploadMatch): boolean {
  return match.proven.length > 0 && match.differing.length === 0
}
