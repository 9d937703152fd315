// Commands on one unfinished upload: `sluice uploads` finishes it, prints its parts or discards it, and
// `sluice complete` completes it.

import { resolve } from 'node:path'
import {
  checkPartsList,
  classify,
  completeFromParts,
  createRetryPolicy,
  listAllParts,
  listUploadsOfKey,
  matchPartsList,
  matchUploads,
  parsePartsList,
  PartsListError,
  proofByEtag,
  withRetry,
  writePartsList,
  type PartsList,
  type RetryContext,
  type WrittenUpload,
} from '../../engine/index.ts'
import type { ListedUpload, ObjectStore } from '../../stores/port/object-store.ts'
import type { Command } from '../arguments.ts'
import { addressInPlace, type CommandConnection } from '../connection.ts'
import { CommandError } from '../command-error.ts'
import { harmlessJson, verificationWords, whyNotMore, type Output } from '../output.ts'
import { readGiven } from '../read-given.ts'
import { commandRetryContext } from '../retry-context.ts'
import { finishTransfers } from '../session/follow-transfers.ts'
import { withSession } from '../session/session.ts'
import type { StopSignals } from '../stop-signal.ts'
import { UsageError } from '../usage-error.ts'
import { continueEarlier } from './continue-earlier.ts'
import { skipProven } from './put.ts'

/** Finishes an unfinished upload of a file: keeps the parts that are proven to be there and sends the rest. */
export async function finishUpload(
  command: Extract<Command, { name: 'uploads-finish' }>,
  connection: CommandConnection,
  output: Output,
  stop: StopSignals,
): Promise<void> {
  const { location, key } = addressInPlace(connection, command.key, 'uploads finish takes a key, not a link.')
  const sourcePath = resolve(command.file)
  const identity = ['finish', location, key, sourcePath]
  await withSession(identity, { options: command.options, connection, output, stop }, async (session) => {
    const earlier = await continueEarlier(session, location)
    if (earlier.length === 0) {
      const context = { ...session.retryContext, deps: session.deps, store: connection.open(location) }
      const [best] = await matchUploads(context, key, sourcePath)
      if (best === undefined || best.proven.length === 0) {
        if (await skipProven(session, { location, key }, sourcePath)) return
        throw new CommandError('no-such-upload', `No unfinished upload of ${key} has parts of this file.`)
      }
      output.note(
        `Continuing ${best.uploadId}: ${best.proven.length} of ${best.plan.partCount} parts are there and equal.`,
      )
      await session.engine.enqueueUploads([{ location, key, sourcePath, onConflict: 'replace', adopt: best }])
    }
    await finishTransfers(session)
  })
}

/** Discards an unfinished upload. */
export async function abortUpload(
  command: Extract<Command, { name: 'uploads-abort' }>,
  connection: CommandConnection,
  output: Output,
  signal: AbortSignal,
): Promise<void> {
  const { location, key } = addressInPlace(connection, command.key, 'uploads abort takes a key, not a link.')
  const store = connection.open(location)
  const { uploadId } = command
  await withRetry(createRetryPolicy(commandRetryContext(signal, output, connection)), () =>
    store.abortMultipartUpload({ key, uploadId, signal }),
  ).catch((failure: unknown) => {
    const verdict = classify(failure)
    const isUnknown = verdict.kind === 'stop' && verdict.error.info.code === 'upload-lost'
    throw isUnknown ? new CommandError('no-such-upload', `${key} has no unfinished upload ${uploadId}.`) : failure
  })
  output.result({ event: 'aborted', key, uploadId }, `${key}  discarded`)
}

/** Prints the parts of an unfinished upload in the form that `complete --parts` takes. */
export async function printParts(
  command: Extract<Command, { name: 'uploads-parts' }>,
  connection: CommandConnection,
  output: Output,
  signal: AbortSignal,
): Promise<void> {
  const { location, key } = addressInPlace(connection, command.key, 'uploads parts takes a key, not a link.')
  const store = connection.open(location)
  const retryPolicy = createRetryPolicy(commandRetryContext(signal, output, connection))
  const uploadId = command.uploadId ?? onlyUploadOf(await listUploadsOfKey(store, key, retryPolicy, signal), key)
  const listing = await listAllParts(store, { key, uploadId, signal }, retryPolicy)
  if (listing.kind === 'gone') throw new CommandError('no-such-upload', `There is no unfinished upload ${uploadId}.`)
  if (listing.kind === 'unlisted') throw new CommandError('feature-unavailable', 'The service doesn’t list parts.')
  const list = writePartsList({ uploadId, key, bucket: store.bucket }, listing.parts)
  // The output is for another program, so unusual characters in a key are kept, as escapes.
  output.page(JSON.parse(list) as Record<string, unknown>, harmlessJson(list.trimEnd()))
}

/** Completes an upload from a parts list, as another tool may have written it. */
export async function complete(
  command: Extract<Command, { name: 'complete' }>,
  connection: CommandConnection,
  output: Output,
  stop: StopSignals,
): Promise<void> {
  const { location, key } = addressInPlace(connection, command.key, 'complete takes a key or the address of an object.')
  const { list, uploadId } = await readList(command, key, stop.first)
  const written = { key, uploadId, parts: list.parts }
  if (command.file === null) {
    const retryContext = commandRetryContext(stop.first, output, connection)
    return completeWithoutFile({ ...retryContext, store: connection.open(location) }, written, output)
  }
  const sourcePath = resolve(command.file)
  const identity = ['complete', location, key, uploadId, sourcePath]
  await withSession(identity, { options: command.options, connection, output, stop }, async (session) => {
    const earlier = await continueEarlier(session, location)
    if (earlier.length === 0) {
      const context = { ...session.retryContext, deps: session.deps, store: connection.open(location) }
      const adopt = await matchPartsList(context, written, sourcePath).catch(throwListError)
      output.note(`${adopt.proven.length} of ${adopt.plan.partCount} parts are there and equal.`)
      await session.engine.enqueueUploads([{ location, key, sourcePath, onConflict: 'replace', adopt }])
    }
    await finishTransfers(session)
  })
}

/** Nothing is sent but the request to complete, so there is nothing that a second run could continue from. */
async function completeWithoutFile(
  context: RetryContext & { readonly store: ObjectStore },
  written: WrittenUpload,
  output: Output,
): Promise<void> {
  await checkPartsList(context, written).catch(throwListError)
  const result = await completeFromParts({ ...context, ...written, report: { ...SILENT, ...context.report } })
  if (result.kind !== 'done') throw result.error
  const { etag } = result
  const { verification, lack } = proofByEtag(result.verification)
  const { key } = written
  const text = `${key}  ${verificationWords(verification, lack)}`
  output.result({ event: 'done', direction: 'upload', key, etag, verification, ...whyNotMore(lack) }, text)
}

async function readList(
  { partsFile, uploadId }: Extract<Command, { name: 'complete' }>,
  key: string,
  signal: AbortSignal,
): Promise<{ readonly list: PartsList; readonly uploadId: string }> {
  const text = await readGiven(partsFile, '', signal).catch(unreadable)
  const list = await Promise.resolve(text).then(parsePartsList).catch(throwListError)
  const id = uploadId ?? list.uploadId
  if (id === null) throw new UsageError('Which upload? The parts list names none: give --upload-id.')
  if (list.uploadId !== null && list.uploadId !== id) {
    throw new CommandError('another-upload', `The parts list belongs to the upload ${list.uploadId}.`)
  }
  if (list.key !== null && list.key !== key)
    throw new CommandError('another-upload', `The parts list belongs to ${list.key}.`)
  return { list, uploadId: id }
}

function throwListError(failure: unknown): never {
  throw failure instanceof PartsListError ? new CommandError(failure.problem, failure.message) : failure
}

function onlyUploadOf(uploads: readonly ListedUpload[], key: string): string {
  const [first, ...others] = uploads
  if (first === undefined) throw new CommandError('no-such-upload', `There is no unfinished upload of ${key}.`)
  if (others.length > 0) throw new UsageError(`${key} has several unfinished uploads: give --upload-id.`)
  return first.uploadId
}

const SILENT = { stage: ignore, log: ignore, facts: ignore }

function ignore(): void {
  // A command reports how it ended, not each step.
}

function unreadable(failure: unknown): never {
  throw failure instanceof UsageError ? new CommandError('source-unreadable', failure.message) : failure
}
