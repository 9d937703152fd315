import { stat } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { expandPaths, matchUploads, type UploadMatch, type UploadRequest } from '../engine/index.ts'
import { UsageError, type Command } from './arguments.ts'
import type { CommandConnection, ObjectAddress } from './connection.ts'
import { CommandError } from './exit-status.ts'
import type { Output } from './output.ts'
import { provenEqual } from './proof.ts'
import { continueEarlier, finishTransfers, withSession, type Session } from './session.ts'

type Put = Extract<Command, { name: 'put' }>

/** Uploads files and folders to a key, or below a prefix that ends in `/`. Throws CommandError. */
export async function put(command: Put, connection: CommandConnection, output: Output): Promise<void> {
  const target = connection.address(command.target)
  if (target.location.kind === 'link') throw new UsageError('put takes a key or a prefix as its target, not a link.')
  const sources = command.files.map((file) => resolve(file))
  const isPrefix = target.key === '' || target.key.endsWith('/')
  if (!isPrefix && sources.length > 1) throw new UsageError('Several files need a target that ends in “/”.')
  const identity = ['put', target, sources]
  await withSession(identity, { options: command.options, connection, output }, async (session) => {
    await continueEarlier(session)
    const known = new Set(session.earlier.map((row) => row.key))
    for (const { path, key } of await filesOf(sources, target, isPrefix, output)) {
      if (known.has(key)) continue
      const request = await requestFor(session, { location: target.location, key }, path)
      if (request !== null) await session.engine.enqueueUploads([request])
    }
    await finishTransfers(session)
  })
}

async function filesOf(
  sources: readonly string[],
  target: ObjectAddress,
  isPrefix: boolean,
  output: Output,
): Promise<readonly { readonly path: string; readonly key: string }[]> {
  if (isPrefix) {
    const { files, skipped } = await expandPaths(sources, target.key)
    for (const sentence of skipped) output.note(sentence)
    if (files.length === 0) throw new CommandError('source-missing', skipped[0] ?? 'There is nothing to upload.')
    return files.map((file) => ({ path: file.sourcePath, key: file.key }))
  }
  const [path = ''] = sources
  const facts = await stat(path).catch(() => null)
  if (facts === null) throw new CommandError('source-missing', `There is no file ${path}.`)
  if (!facts.isFile()) throw new UsageError(`${basename(path)} is a folder: give a target that ends in “/”.`)
  return [{ path, key: target.key }]
}

/** Null when the object is already there and proven equal to the file. */
async function requestFor(session: Session, address: ObjectAddress, path: string): Promise<UploadRequest | null> {
  const proof = await provenEqual(session, address, path)
  if (proof !== null) {
    session.output.result(
      { event: 'done', direction: 'upload', key: address.key, path, skipped: true, verification: proof },
      `${address.key}  already there and equal`,
    )
    return null
  }
  const request = { location: address.location, key: address.key, sourcePath: path }
  const context = { ...session.patience, deps: session.deps, store: session.connection.open(address.location) }
  const proven = (await matchUploads(context, address.key, path)).find(isWhollyProven)
  return proven === undefined ? request : { ...request, adopt: proven }
}

/** Every part that is there has the bytes of the file: nobody would miss the upload if we finished it. */
function isWhollyProven(match: UploadMatch): boolean {
  return match.proven.length > 0 && match.differing.length === 0
}
