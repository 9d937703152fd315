import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { completeFromParts, createPatience, matchUploads, patiently } from '../engine/index.ts'
import { parsePartsFile, UsageError, type Command } from './arguments.ts'
import type { CommandConnection } from './connection.ts'
import { continueEarlier } from './earlier.ts'
import { CommandError } from './exit-status.ts'
import { verificationWords, type Output } from './output.ts'
import { commandPatience } from './patience.ts'
import { skipProven } from './put.ts'
import { finishTransfers, withSession } from './session.ts'

/** Finishes an unfinished upload of a file: what is proven to be there is kept, the rest is sent. */
export async function finishUpload(
  command: Extract<Command, { name: 'uploads-finish' }>,
  connection: CommandConnection,
  output: Output,
  signal: AbortSignal,
): Promise<void> {
  const { location, key } = connection.address(command.key)
  if (location.kind === 'link') throw new UsageError('uploads finish takes a key, not a link.')
  const sourcePath = resolve(command.file)
  const identity = ['finish', location, key, sourcePath]
  await withSession(identity, { options: command.options, connection, output, signal }, async (session) => {
    const earlier = await continueEarlier(session, location)
    if (earlier.length === 0) {
      const context = { ...session.patience, deps: session.deps, store: connection.open(location) }
      const [best] = await matchUploads(context, key, sourcePath)
      if (best === undefined || best.proven.length === 0) {
        if (await skipProven(session, { location, key }, sourcePath)) return
        throw new CommandError('no-such-upload', `No unfinished upload of ${key} has parts of this file.`)
      }
      output.note(`Continuing ${best.uploadId}: ${best.proven.length} parts are there and equal.`)
      await session.engine.enqueueUploads([{ location, key, sourcePath, adopt: best }])
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
  const { location, key } = connection.address(command.key)
  const store = connection.open(location)
  const { uploadId } = command
  await patiently(createPatience(commandPatience(signal, output)), () =>
    store.abortMultipartUpload({ key, uploadId, signal }),
  )
  output.result({ event: 'aborted', key, uploadId }, `${key}  discarded`)
}

/** Completes an upload whose parts are known, as another tool wrote them down. */
export async function complete(
  command: Extract<Command, { name: 'complete' }>,
  connection: CommandConnection,
  output: Output,
  signal: AbortSignal,
): Promise<void> {
  const { uploadId, partsFile } = command
  const parts = parsePartsFile(await readFile(partsFile, 'utf8').catch(() => unreadable(partsFile)))
  const { location, key } = connection.address(command.key)
  const identity = ['complete', location, key, uploadId]
  await withSession(identity, { options: command.options, connection, output, signal }, async (session) => {
    const store = connection.open(location)
    const result = await completeFromParts({ ...session.patience, store, key, uploadId, parts, report: SILENT })
    if (result.kind !== 'done') throw result.error
    const { etag, verification } = result
    const text = `${key}  ${verificationWords(verification)}`
    output.result({ event: 'done', direction: 'upload', key, etag, verification }, text)
  })
}

const SILENT = { stage: ignore, log: ignore, facts: ignore, waiting: ignore }

function ignore(): void {
  // A command says how it ended, not how it went.
}

function unreadable(path: string): never {
  throw new CommandError('source-unreadable', `Can’t read ${path}.`)
}
