import { stat } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import type { TransferErrorCode } from '../../shared/transfer-error.ts'
import { classify, expandPaths, matchUploads, type UploadMatch, type UploadRequest } from '../engine/index.ts'
import { UsageError, type Command } from './arguments.ts'
import type { CommandConnection, ObjectAddress } from './connection.ts'
import { continueEarlier } from './earlier.ts'
import { CommandError } from './exit-status.ts'
import type { Output } from './output.ts'
import { provenEqual } from './proof.ts'
import { finishTransfers, withSession, type Session } from './session.ts'

type Put = Extract<Command, { name: 'put' }>

/** Uploads files and folders to a key, or below a prefix that ends in `/`. Throws CommandError. */
export async function put(
  command: Put,
  connection: CommandConnection,
  output: Output,
  signal: AbortSignal,
): Promise<void> {
  const target = connection.address(command.target)
  if (target.location.kind === 'link') throw new UsageError('put takes a key or a prefix as its target, not a link.')
  const sources = command.files.map((file) => resolve(file))
  const isPrefix = target.key === '' || target.key.endsWith('/')
  if (!isPrefix && sources.length > 1) throw new UsageError('Several files need a target that ends in “/”.')
  const identity = ['put', target, sources]
  const { files, unreadable } = await filesOf(sources, target, isPrefix, output)
  await withSession(identity, { options: command.options, connection, output, signal }, async (session) => {
    const known = new Set((await continueEarlier(session, target.location)).map((row) => row.key))
    for (const { path, key } of files) {
      if (known.has(key)) continue
      const request = await requestFor(session, { location: target.location, key }, path)
      if (request !== null) await session.engine.enqueueUploads([request])
    }
    await finishTransfers(session)
  })
  const [first] = unreadable
  if (first !== undefined) throw new CommandError('source-unreadable', `Can’t read ${first}.`)
}

interface PlannedFiles {
  readonly files: readonly { readonly path: string; readonly key: string }[]
  /** Wanted, but can’t be read: the command can’t end well. */
  readonly unreadable: readonly string[]
}

async function filesOf(
  sources: readonly string[],
  target: ObjectAddress,
  isPrefix: boolean,
  output: Output,
): Promise<PlannedFiles> {
  for (const path of sources) {
    const facts = await stat(path).catch(() => null)
    if (facts === null) throw new CommandError('source-missing', `There is no file ${path}.`)
    if (isPrefix) continue
    if (!facts.isFile()) throw new UsageError(`${basename(path)} is a folder: give a target that ends in “/”.`)
    return { files: [{ path, key: target.key }], unreadable: [] }
  }
  const { files, skipped, unreadable } = await expandPaths(sources, target.key)
  for (const sentence of skipped) output.note(sentence)
  if (files.length === 0) throw new CommandError('source-missing', skipped[0] ?? 'There is nothing to upload.')
  const keys = new Set<string>()
  for (const { key } of files) {
    if (keys.has(key)) throw new UsageError(`Two of the files would become ${key}.`)
    keys.add(key)
  }
  return { files: files.map((file) => ({ path: file.sourcePath, key: file.key })), unreadable }
}

/** Whether the object is already there and proven equal to the file; says so then. */
export async function skipProven(session: Session, address: ObjectAddress, path: string): Promise<boolean> {
  const proof = await provenEqual(session, address, path, 'upload')
  if (proof === null) return false
  session.output.result(
    { event: 'done', direction: 'upload', key: address.key, path, skipped: true, verification: proof },
    `${address.key}  already there and equal`,
  )
  return true
}

/** Null when there is nothing to do. */
async function requestFor(session: Session, address: ObjectAddress, path: string): Promise<UploadRequest | null> {
  if (await skipProven(session, address, path)) return null
  const request = { location: address.location, key: address.key, sourcePath: path }
  const context = { ...session.patience, deps: session.deps, store: session.connection.open(address.location) }
  const matches = await matchUploads(context, address.key, path).catch(noneListed)
  const proven = matches.find(isWhollyProven)
  return proven === undefined ? request : { ...request, adopt: proven }
}

/** A service need not list uploads, or not to us (dialect: two rules): then a new one is begun. */
function noneListed(failure: unknown): readonly UploadMatch[] {
  const verdict = classify(failure)
  if (verdict.kind === 'stop' && UNLISTED.has(verdict.error.info.code)) return []
  throw failure
}

const UNLISTED = new Set<TransferErrorCode>(['access-denied', 'feature-unavailable'])

/** Every part that is there has the bytes of the file: nobody would miss the upload if we finished it. */
function isWhollyProven(match: UploadMatch): boolean {
  return match.proven.length > 0 && match.differing.length === 0
}
