import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { completeFromParts, matchUploads } from '../engine/index.ts'
import { parsePartsFile, UsageError, type Command } from './arguments.ts'
import type { CommandConnection } from './connection.ts'
import { CommandError } from './exit-status.ts'
import { verificationWords, type Output } from './output.ts'
import { continueEarlier, finishTransfers, withSession } from './session.ts'

/** Finishes an unfinished upload of a file: what is proven to be there is kept, the rest is sent. */
export async function finishUpload(
  command: Extract<Command, { name: 'uploads-finish' }>,
  connection: CommandConnection,
  output: Output,
): Promise<void> {
  const address = connection.address(command.key)
  if (address.location.kind === 'link') throw new UsageError('uploads finish takes a key, not a link.')
  const sourcePath = resolve(command.file)
  const identity = ['finish', address, sourcePath]
  await withSession(identity, { options: command.options, connection, output }, async (session) => {
    await continueEarlier(session)
    if (session.earlier.length === 0) {
      const request = { location: address.location, key: address.key, sourcePath }
      const matches = await matchUploads(session.deps, connection.open(address.location), request, session.signal)
      const [best] = [...matches].sort((one, other) => other.provenParts.length - one.provenParts.length)
      if (best === undefined || best.provenParts.length === 0) {
        throw new CommandError('no-such-upload', `No unfinished upload of ${command.key} has parts of this file.`)
      }
      output.note(`Continuing ${best.uploadId}: ${best.provenParts.length} parts already there and equal.`)
      await session.engine.enqueueUploads([{ ...request, adopt: best }])
    }
    await finishTransfers(session)
  })
}

/** Discards an unfinished upload; one that is gone already is no error. */
export async function abortUpload(
  command: Extract<Command, { name: 'uploads-abort' }>,
  connection: CommandConnection,
  output: Output,
): Promise<void> {
  const { location, key } = connection.address(command.key)
  await connection
    .open(location)
    .abortMultipartUpload({ key, uploadId: command.uploadId, signal: new AbortController().signal })
  output.result({ event: 'aborted', key, uploadId: command.uploadId }, `${key}  discarded`)
}

/** Completes an upload whose parts are known, as another tool wrote them down. */
export async function complete(
  command: Extract<Command, { name: 'complete' }>,
  connection: CommandConnection,
  output: Output,
): Promise<void> {
  const parts = parsePartsFile(await readFile(command.partsFile, 'utf8').catch(() => unreadable(command.partsFile)))
  const { location, key } = connection.address(command.key)
  const identity = ['complete', location, key, command.uploadId]
  await withSession(identity, { options: command.options, connection, output }, async (session) => {
    const upload = { key, uploadId: command.uploadId, parts }
    const done = await completeFromParts(session.deps, connection.open(location), upload, session.signal)
    output.result(
      {
        event: 'done',
        direction: 'upload',
        key,
        etag: done.etag,
        sizeBytes: done.sizeBytes,
        verification: done.verification,
      },
      `${key}  ${verificationWords(done.verification)}`,
    )
  })
}

function unreadable(path: string): never {
  throw new CommandError('source-unreadable', `Can’t read ${path}.`)
}
