import * as fs from 'node:fs/promises'
import { lstat, rmdir, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import {
  errnoCode,
  isSpecialFile,
  makeFolders,
  nameRulesOf,
  numberedName,
  onTarget,
  realPath,
  safeFileName,
  type DownloadRequest,
  type TransferChanges,
  type TransferRecord,
} from '../../engine/index.ts'
import { percentDecoded } from '../../../shared/place/percent-decoded.ts'
import type { GetOptions } from '../arguments.ts'
import type { CommandConnection, ObjectAddress } from '../connection.ts'
import { continueEarlier } from './continue-earlier.ts'
import { CommandError } from '../command-error.ts'
import { findPartial } from './find-partial.ts'
import type { Output } from '../output.ts'
import { findProvenEqual, headOrNull } from './prove-equal.ts'
import { finishTransfers } from '../session/follow-transfers.ts'
import { findSaved, noteSaved } from './saved-links.ts'
import { withSession, type Session } from '../session/session.ts'
import type { StopSignals } from '../stop-signal.ts'

/** One source and its destination. */
export interface GetOne {
  readonly source: string
  readonly dest: string | null
  readonly options: GetOptions
}

/** Where a single object goes. In a folder, the next free name is used if its name is taken. */
interface Target {
  readonly path: string
  readonly inFolder: boolean
}

/** Downloads an object, a link, or everything under a prefix. Throws CommandError. */
export async function getOne(
  command: GetOne,
  connection: CommandConnection,
  output: Output,
  stop: StopSignals,
): Promise<void> {
  const address = connection.address(command.source)
  const { options } = command
  const isPrefix = address.location.kind === 'place' && (address.key === '' || address.key.endsWith('/'))
  const identity = ['get', await identityOf(address, command.dest), resolve(command.dest ?? '.')]
  const revise = (record: TransferRecord): TransferChanges => revision(record, address, options.overwrite)
  await withSession(identity, { options, connection, output, stop, revise }, async (session) => {
    const earlier = await continueEarlier(session, address.location)
    const made: string[] = []
    try {
      if (earlier.length === 0 && isPrefix) await enqueuePrefix(session, command, address)
      else if (earlier.length === 0) await enqueueOne(session, command, address, made)
      await finishTransfers(session)
    } catch (failure) {
      // What is kept to be continued needs its folder.
      if (session.engine.snapshot().rows.length === 0) await removeEmpty(made)
      throw failure
    }
    if (address.location.kind === 'link') await noteLinks(session, address.location.url)
  })
}

/** Notes which files were saved without a checksum that could prove them later. */
async function noteLinks({ engine, stateFolder }: Session, link: string): Promise<void> {
  for (const { id, status, localPath, verification } of engine.snapshot().rows) {
    if (status !== 'completed' || verification !== 'size-only') continue
    await noteSaved(stateFolder, link, localPath, engine.details(id)?.etag ?? null)
  }
}

/**
 * Adjusts an earlier run's record to this command: a link may have a new signature, and consent to replace a file
 * applies to one run only. A link to another address must lead to the same object, unless --overwrite is given.
 */
function revision(record: TransferRecord, { location }: ObjectAddress, overwrite: boolean): TransferChanges {
  if (record.direction === 'upload' || record.direction === 'upload-folder') return {}
  const withdrawn = record.onConflict === 'replace' ? 'fail' : record.onConflict
  const onConflict = overwrite ? 'replace' : withdrawn
  const old = record.location
  const isNewLink = location.kind === 'link' && old.kind === 'link' && location.url !== old.url
  const isElsewhere = isNewLink && withoutQuery(location.url) !== withoutQuery(old.url)
  const isOfFolder = record.direction === 'folder' || record.folderId !== undefined
  return {
    // The folder is resolved again, because a symbolic link to it may lead elsewhere now.
    ...(isOfFolder ? {} : { root: undefined }),
    ...(isNewLink ? { location } : {}),
    ...(isElsewhere || overwrite ? { isRelinked: isElsewhere && !overwrite } : {}),
    ...(onConflict === record.onConflict ? {} : { onConflict }),
  }
}

/** Removes those of the folders that are empty, the last first. */
async function removeEmpty(folders: readonly string[]): Promise<void> {
  // What can't be removed has something in it.
  for (const folder of folders.toReversed()) await rmdir(folder).catch(() => undefined)
}

/** `made` gets the folders that it makes. */
async function enqueueOne(session: Session, command: GetOne, address: ObjectAddress, made: string[]): Promise<void> {
  const name = lastSegmentOf(address)
  if (name === '') session.output.note('The link names no file, so it is saved as “download”.')
  const target = await onTarget(resolve(command.dest ?? '.'), () => targetOf(command.dest, name || 'download', made))
  const request = await requestFor(session, address, target, command.options.overwrite)
  if (request === null) return
  const partialPath = await findPartial(session, request)
  if (partialPath === null) await session.engine.enqueueDownloads([request])
  else await session.engine.adoptPartial(partialPath, request)
}

/** Enqueues everything under a prefix as one transfer, which finds out by itself what is already there and equal. */
async function enqueuePrefix(session: Session, command: GetOne, { location, key }: ObjectAddress): Promise<void> {
  const targetPath = resolve(command.dest ?? '.')
  const onConflict = command.options.overwrite ? 'replace' : 'fail'
  await session.engine.enqueueFolder({ location, prefix: key, targetPath, onConflict })
}

/** Returns null when the file is already there and proven equal. Throws when another file is in the way. */
async function requestFor(
  session: Session,
  address: ObjectAddress,
  target: Target,
  overwrite: boolean,
): Promise<DownloadRequest | null> {
  const onConflict = overwrite ? 'replace' : target.inFolder ? 'keep-both' : 'fail'
  const { path } = target
  const root = await onTarget(path, () => realPath(dirname(path)))
  const request = { ...address, targetPath: path, onConflict, root } as const
  const taken = await onTarget(path, () => takenPaths(path, onConflict === 'keep-both'))
  if (taken.length === 0) return request
  if (onConflict !== 'keep-both' && (await isSpecialFile(fs, path))) {
    throw new CommandError('target-exists', `${path} is not a regular file, so it is not replaced.`)
  }
  const proven = await findProvenEqual(session, address, taken, 'download')
  if (proven !== null) {
    const facts = { path: proven.path, skipped: true, verification: proven.verification }
    session.output.result(
      { event: 'done', direction: 'download', key: address.key, ...facts },
      `${proven.path}  already there and equal`,
    )
    return null
  }
  if (!overwrite && (await isSavedAlready(session, address, taken))) return null
  if (onConflict !== 'fail') return request
  throw new CommandError('target-exists', `${path} is already there. Give --overwrite to replace it.`)
}

/** Whether an earlier command saved one of these files from the link, and the server has no newer version. */
async function isSavedAlready(
  session: Session,
  { location, key }: ObjectAddress,
  taken: readonly string[],
): Promise<boolean> {
  if (location.kind !== 'link') return false
  const headOf = () => headOrNull(session, session.connection.open(location), key)
  const path = await findSaved(session.stateFolder, location.url, taken, headOf)
  if (path === null) return false
  session.output.result(
    { event: 'done', direction: 'download', key, path, skipped: true, verification: 'size-only' },
    `${path}  already there, and the version on the server is the same`,
  )
  return true
}

/** Returns `path` if it exists, and with `isNumbered` also the numbered names beside it that exist. */
async function takenPaths(path: string, isNumbered: boolean): Promise<readonly string[]> {
  const taken: string[] = []
  for (let candidate = path; await exists(candidate);) {
    taken.push(candidate)
    if (!isNumbered) break
    candidate = join(dirname(path), numberedName(basename(path), taken.length))
  }
  return taken
}

async function targetOf(dest: string | null, name: string, made: string[]): Promise<Target> {
  const path = resolve(dest ?? '.')
  if (dest?.endsWith('/')) made.push(...(await makeFolders(fs, path)))
  if (dest === null || (await isFolder(path))) {
    const fileName = safeFileName(name, await nameRulesOf(fs, path))
    return { path: join(path, fileName), inFolder: true }
  }
  made.push(...(await makeFolders(fs, dirname(path))))
  return { path, inFolder: false }
}

function lastSegmentOf(address: ObjectAddress): string {
  if (address.location.kind === 'place') return address.key.split('/').at(-1) ?? ''
  const segment = new URL(address.location.url).pathname.split('/').at(-1) ?? ''
  return percentDecoded(segment) ?? segment
}

/**
 * A download of a link to a named file is identified by that file, so any other link continues it. Into a folder, it is
 * identified by the link without its query, so a link with a fresh signature continues it.
 */
async function identityOf(address: ObjectAddress, dest: string | null): Promise<unknown> {
  if (address.location.kind === 'place') return address
  const isFile = dest !== null && !dest.endsWith('/') && !(await isFolder(resolve(dest)))
  return isFile ? 'link' : withoutQuery(address.location.url)
}

function withoutQuery(link: string): string {
  const url = new URL(link)
  return `${url.origin}${url.pathname}`
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (facts) => facts.isDirectory(),
    (failure: unknown) => absent(failure),
  )
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    (failure: unknown) => absent(failure),
  )
}

function absent(failure: unknown): false {
  const code = errnoCode(failure)
  if (code === 'ENOENT' || code === 'ENOTDIR') return false
  throw failure
}
